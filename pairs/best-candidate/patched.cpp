#include <cstdlib>
#include <cstring>

struct Candidate {
    int number;
    int distance;
};

static int distance_of(const char *a, const char *b)
{
    int distance = std::abs(static_cast<int>(std::strlen(a)) - static_cast<int>(std::strlen(b)));

    for (; *a != '\0' && *b != '\0'; a++, b++)
        distance += *a != *b;
    return distance;
}

// The word that is closest to a wanted one: its distance times 100, and its number. -1 for none.
int closest_word(const char *const *words, int count, const char *wanted)
{
    Candidate kept = {0, 0};
    const Candidate *best = nullptr;

    if (*wanted == '\0')
        return -1;
    for (int i = 0; i < count; i++) {
        Candidate candidate = {i, distance_of(words[i], wanted)};

        if (best == nullptr || candidate.distance < best->distance) {
            kept = candidate;
            best = &kept;
        }
    }
    if (best == nullptr)
        return -1;
    return best->distance * 100 + best->number;
}
