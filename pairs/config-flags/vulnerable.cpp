#include <cstddef>
#include <cstdint>
#include <cstring>

struct Settings {
    bool verbose;
    int level;
    int retries;
};

struct Record {
    std::uint8_t version;
    bool verbose;
    std::uint8_t level;
    std::uint8_t retries;
};

// Takes settings over from a stored record; whether it is one.
bool apply_record(Settings &settings, const std::uint8_t *bytes, std::size_t size)
{
    Record record;

    if (size < sizeof record)
        return false;
    std::memcpy(&record, bytes, sizeof record);
    if (record.version != 1 || record.level > 9)
        return false;
    settings.verbose = record.verbose;
    settings.level = record.level;
    settings.retries = record.retries < 10 ? record.retries : 10;
    return true;
}
