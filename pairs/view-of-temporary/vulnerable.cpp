#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

static std::string lowered(std::string_view text)
{
    std::string result(text);

    for (char &c : result)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

static const char *const known[] = {"jpeg", "png", "tar.gz", "multichannel-photo-archive"};

// Number of the known extension that a file name ends with, or -1.
int match_extension(const std::string &file)
{
    std::size_t dot = file.find('.');

    if (dot == std::string::npos || dot + 1 == file.size())
        return -1;
    std::string_view extension = lowered(std::string_view(file).substr(dot + 1));
    for (std::size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (extension == known[i])
            return static_cast<int>(i);
    }
    return -1;
}
