#include <cctype>
#include <cstddef>

struct Label {
    const char *begin;
    const char *end;
};

static Label fold_label(const char *name, char (&folded)[64])
{
    std::size_t length = 0;

    while (name[length] != '\0' && name[length] != '.' && length < sizeof folded) {
        folded[length] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[length])));
        length++;
    }
    Label label = {folded, folded + length};
    return label;
}

// The number of letters in the label of a host name that has most of them.
int longest_label(const char *name)
{
    int longest = 0;

    while (*name != '\0') {
        char folded[64];
        Label label = fold_label(name, folded);
        int letters = 0;

        for (const char *c = label.begin; c != label.end; c++)
            letters += *c >= 'a' && *c <= 'z';
        if (letters > longest)
            longest = letters;
        while (*name != '\0' && *name != '.')
            name++;
        if (*name == '.')
            name++;
    }
    return longest;
}
