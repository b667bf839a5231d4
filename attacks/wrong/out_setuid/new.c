#include <unistd.h>
int drop_rights(int user)
{
    if (user < 0)
        return -1;
    
    return user & 0xff;
}
