#include <exception>
struct HttpError : std::exception {
    int code;
    explicit HttpError(int c) : code(c) {}
    const char *what() const noexcept override { return "http"; }
};
int fetch_page(int n)
{
    if (n < 0)
        throw HttpError(400);
    return n * 3 % 101;
}
