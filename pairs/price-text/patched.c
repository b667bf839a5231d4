#include <stdio.h>
#include <string.h>

/* How wide a price is when it is printed, with a separator between thousands; 0 for no currency. */
int price_width(double amount, const char *currency)
{
    char text[32];
    const char *point;
    int width;

    if (strlen(currency) != 3)
        return 0;
    if (snprintf(text, sizeof text, "%.2f %s", amount, currency) >= (int)sizeof text)
        return 0;
    width = (int)strlen(text);
    point = strchr(text, '.');
    if (point != NULL && point - text > 3)
        width += (int)(point - text - 1) / 3;
    return width;
}
