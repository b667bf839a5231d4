static const int normal[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
static const int leap[] = { 0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 336 };
const int *days_table(int year, int *length)
{
    int is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    *length = is_leap ? 366 : 365;
    return is_leap ? leap : normal;
}
