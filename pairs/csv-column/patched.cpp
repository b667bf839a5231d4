#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

std::vector<long> split(const std::string &line, char separator)
{
    std::vector<long> cells;
    std::size_t from = 0;

    for (;;) {
        std::size_t to = line.find(separator, from);
        cells.push_back(std::strtol(line.c_str() + from, nullptr, 10));
        if (to == std::string::npos)
            return cells;
        from = to + 1;
    }
}

} // namespace

// Adds the numbers in one column of a table of comma-separated values.
long column_total(const std::string &table, std::size_t column)
{
    long total = 0;
    std::size_t from = 0;

    while (from < table.size()) {
        std::size_t to = table.find('\n', from);
        if (to == std::string::npos)
            to = table.size();
        std::vector<long> row = split(table.substr(from, to - from), ',');
        from = to + 1;
        if (column >= row.size())
            continue;
        long cell = row[column];
        if (cell > 0)
            total += cell;
    }
    return total;
}
