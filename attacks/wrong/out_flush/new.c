#include <stdio.h>
int prompt(const char *text, int width)
{
    int n = 0;
    for (; *text && n < width; text++, n++)
        putchar(*text);
    while (n < width) {
        putchar('.');
        n++;
    }
    
    return n;
}
