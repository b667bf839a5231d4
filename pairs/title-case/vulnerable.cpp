#include <cctype>
#include <cstdlib>
#include <cstring>

static char *lowered_copy(const char *text)
{
    std::size_t size = std::strlen(text) + 1;
    char *copy = static_cast<char *>(std::malloc(size));

    if (copy == nullptr)
        return nullptr;
    for (std::size_t i = 0; i < size; i++)
        copy[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    return copy;
}

static bool is_small_word(const char *word, std::size_t length)
{
    static const char *const small[] = {"the", "a", "of", "in", "and"};

    for (const char *each : small) {
        if (std::strlen(each) == length && std::strncmp(each, word, length) == 0)
            return true;
    }
    return false;
}

// How many words of a title get a capital: the first ones in any case, of the others those that are not small.
int title_initials(const char *title, int always)
{
    int capitals = 0;
    int number = 0;

    if (title == nullptr || *title == '\0')
        return 0;
    char *copy = lowered_copy(title);
    if (copy == nullptr)
        return -1;
    for (const char *word = copy; *word != '\0'; number++) {
        std::size_t length = std::strcspn(word, " ");
        if (length > 0 && (number < always || !is_small_word(word, length)))
            capitals++;
        word += length + std::strspn(word + length, " ");
    }
    delete[] copy;
    return capitals;
}
