#include <cstddef>
#include <cstdint>

struct Matrix {
    float *cells;
    std::uint16_t rows;
    std::uint16_t columns;
    std::size_t count;
};

// A new matrix with rows and columns in each other's place; the caller deletes its cells.
Matrix transpose(const float *cells, std::uint16_t rows, std::uint16_t columns)
{
    Matrix result = {nullptr, columns, rows, 0};

    if (rows == 0 || columns == 0 || cells == nullptr)
        return result;

    std::uint16_t count = static_cast<std::uint16_t>(rows * columns);
    result.cells = new float[count];
    result.count = count;
    for (std::size_t row = 0; row < rows; row++) {
        for (std::size_t column = 0; column < columns; column++)
            result.cells[column * rows + row] = cells[row * columns + column];
    }
    return result;
}
