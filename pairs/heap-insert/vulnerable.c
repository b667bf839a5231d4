#include <stddef.h>
#include <stdlib.h>

struct job {
    int priority;
    int id;
};

struct job_heap {
    struct job *jobs;
    size_t used;
    size_t room;
};

static int heap_insert(struct job_heap *heap, struct job job)
{
    if (heap->used > heap->room) {
        struct job *larger = realloc(heap->jobs, heap->room * 2 * sizeof *larger);
        if (larger == NULL)
            return -1;
        heap->jobs = larger;
        heap->room *= 2;
    }

    size_t at = heap->used++;
    heap->jobs[at] = job;
    while (at > 0 && heap->jobs[(at - 1) / 2].priority > heap->jobs[at].priority) {
        struct job above = heap->jobs[(at - 1) / 2];

        heap->jobs[(at - 1) / 2] = heap->jobs[at];
        heap->jobs[at] = above;
        at = (at - 1) / 2;
    }
    return 0;
}

/* The job with the lowest priority number; -1 for none, -2 where memory is short. */
int schedule_jobs(const struct job *jobs, size_t count)
{
    struct job_heap heap = {malloc(4 * sizeof(struct job)), 0, 4};
    int first = -1;

    if (heap.jobs == NULL)
        return -2;
    for (size_t i = 0; i < count; i++) {
        if (heap_insert(&heap, jobs[i]) != 0) {
            free(heap.jobs);
            return -2;
        }
    }
    if (heap.used > 0)
        first = heap.jobs[0].id;
    free(heap.jobs);
    return first;
}
