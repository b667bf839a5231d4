/* Adds the readings of one channel; a negative reading ends the channel early. */
long sum_readings(const int *readings, int count)
{
    long sum = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (readings[i] < 0)
            break;
        sum += readings[i];
    }
    return sum;
}
