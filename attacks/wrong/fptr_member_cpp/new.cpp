#include <functional>
#include <vector>
struct Menu {
    std::function<int(int)> open, close;
    int n = 0;
    void bind(int k);
};
static int twice(int x) { return x * 2; }
static int thrice(int x) { return x * 3; }
void Menu::bind(int k)
{
    if (k & 1) {
        open = thrice;
        n++;
    }
    close = thrice;
    n += k & 6;
}
