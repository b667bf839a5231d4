// Records in a store, and shapes that are drawn.
#ifndef STORE_HPP
#define STORE_HPP

#include <stddef.h>

namespace store {

struct Point {
    double x;
    double y;
};

enum class Color { Red, Green, Blue };

class Record {
public:
    Record(int id, double weight) : id_(id), weight_(weight) {}
    int id() const { return id_; }
    double weight() const { return weight_; }
    void reweigh(double weight) { weight_ = weight; }

    const char *title = "";

private:
    int id_;
    double weight_;
};

class Store {
public:
    explicit Store(int room);
    ~Store();
    Record *find(int id);
    const Record *find(int id) const;
    bool insert(const Record &record);
    int size() const { return size_; }
    static Store &shared();

protected:
    void grow();

private:
    Record *records_;
    int size_;
    int room_;
};

class Shape {
public:
    virtual ~Shape() {}
    virtual double area() const = 0;
    virtual void scale(double factor) = 0;
};

template <typename T> class List {
public:
    void push(const T &item) {
        if (count_ < 16)
            items_[count_++] = item;
    }
    T &at(int index) { return items_[index]; }
    int count() const { return count_; }

private:
    T items_[16];
    int count_ = 0;
};

double distance(const Point &from, const Point &to);
Point middle(const Point &from, const Point &to);
void normalise(double &value);

} // namespace store

#endif
