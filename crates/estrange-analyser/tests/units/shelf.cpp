#include <string>
#include <vector>

class Shelf {
public:
    explicit Shelf(int room) : books(new int[room]), count(0) {}
    ~Shelf() { delete books; }
    int first() const { return count == 0 ? *none() : books[0]; }

private:
    static int *none() { return nullptr; }
    int *books;
    int count;
    int unset;
};

const char *label(int number) {
    std::string text = std::to_string(number);
    return text.c_str();
}

int fill(std::vector<int> &numbers) {
    auto end = numbers.begin();
    numbers.push_back(1);
    int *copy = new int(*end);
    if (numbers.size() > 3)
        return 0;
    int last = *copy;
    delete copy;
    return last + *copy;
}
