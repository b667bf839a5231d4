#include <stddef.h>
#include <stdlib.h>

struct entry {
    struct entry *next;
    int key;
    size_t touched;
};

struct cache {
    struct entry *oldest;
    struct entry *newest;
    size_t used;
};

static void evict(struct cache *cache)
{
    struct entry *entry = cache->oldest;

    cache->oldest = entry->next;
    if (cache->newest == entry)
        cache->newest = NULL;
    cache->used--;
    free(entry);
}

static struct entry *insert(struct cache *cache, int key)
{
    struct entry *entry = calloc(1, sizeof *entry);

    if (entry == NULL)
        return NULL;
    entry->key = key;
    if (cache->oldest == NULL)
        cache->oldest = entry;
    else
        cache->newest->next = entry;
    cache->newest = entry;
    cache->used++;
    return entry;
}

/* Runs keys through a cache of some entries; how often a key was the newest already. */
int cache_touch_all(const int *keys, size_t count, size_t room)
{
    struct cache cache = {NULL, NULL, 0};
    int hits = 0;

    for (size_t i = 0; i < count; i++) {
        if (cache.newest != NULL && cache.newest->key == keys[i])
            hits++;
        else if (insert(&cache, keys[i]) == NULL)
            break;
        if (cache.used > room)
            evict(&cache);
        if (cache.newest != NULL)
            cache.newest->touched = i;
    }
    while (cache.oldest != NULL)
        evict(&cache);
    return hits;
}
