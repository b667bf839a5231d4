#include <stddef.h>
#include <stdlib.h>

struct timer {
    struct timer *next;
    long due;
    int owner;
};

struct timer_list {
    struct timer *head;
    long earliest;
};

/* Takes all timers of an owner out of the list; how many there were. */
int timer_list_drop(struct timer_list *list, int owner)
{
    struct timer **link = &list->head;
    struct timer *timer = list->head;
    int dropped = 0;

    list->earliest = 0;
    while (timer != NULL) {
        if (timer->owner == owner) {
            *link = timer->next;
            free(timer);
            timer = *link;
            dropped++;
            continue;
        } else {
            if (list->earliest == 0 || timer->due < list->earliest)
                list->earliest = timer->due;
            link = &timer->next;
        }
        timer = timer->next;
    }
    return dropped;
}
