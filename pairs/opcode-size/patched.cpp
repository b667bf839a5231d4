#include <cstddef>
#include <cstdint>

enum class Operand : std::uint8_t { None, Register, Short, Address, Wide };

static int operand_bytes(Operand operand)
{
    switch (operand) {
    case Operand::None:
        return 0;
    case Operand::Register:
        return 1;
    case Operand::Short:
        return 2;
    case Operand::Address:
        return 4;
    default:
        return 0;
    }
}

// Length of the instruction at the start of the code, or 0 if it is cut off.
int instruction_length(const std::uint8_t *code, std::size_t size)
{
    if (size < 2)
        return 0;
    if ((code[0] & 0xf0) != 0x10)
        return 1;

    int length = 2 + operand_bytes(static_cast<Operand>(code[1] & 7));
    return static_cast<std::size_t>(length) <= size ? length : 0;
}
