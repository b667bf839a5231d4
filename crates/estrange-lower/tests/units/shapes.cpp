#include <string>
#include <vector>

namespace shapes {
class Polygon {
 public:
  explicit Polygon(std::string title) : title_(title), sides_() {}
  int longest_side() const {
    int longest = 0;
    for (int side : sides_) longest = side > longest ? side : longest;
    return longest;
  }
  virtual ~Polygon() {}
  virtual const std::string &title() const { return title_; }

 private:
  std::string title_;
  std::vector<int> sides_;
};

namespace {
int doubled(int side) { return side * 2; }
int doubled(double side) { return static_cast<int>(side * 2); }
}  // namespace

long measure(const Polygon &polygon, long factor) {
  static int count;
  if (polygon.title().empty()) throw count;
  return polygon.longest_side() * factor + doubled(++count) + doubled(1.5);
}
}  // namespace shapes
