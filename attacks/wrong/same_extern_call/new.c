int send_safe(int);
int send_raw(int);
int relay(int n)
{
    return send_raw(n & 255) + 1;
}
