#include <stdio.h>
#include <string.h>

struct record { int kind; const char *title; double weight; };

static const char *titles[] = {"zero", "one", "two \"quoted\""};
static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
static int calls = 7;
extern int elsewhere;
extern int consult(const struct record *entry, int at);

static int weigh_record(const struct record *entry) {
  return (int)(entry->weight * 2.5) + squares[entry->kind & 15];
}

int judge_record(struct record *entry, int choice) {
  int numbers[4] = {11, 22, 33, 44};
  switch (choice) {
    case 0: return 5;
    case 1: puts("the first"); break;
    case 2: return consult(entry, choice);
    case 3: return numbers[entry->kind & 3];
    case 4: return elsewhere++;
    case 5: return 77;
    default: calls++;
  }
  for (int i = 0; i < choice; i++) {
    if (titles[i % 3][0] == entry->title[i]) calls += i << 1;
    else calls -= (unsigned)i >> 1;
  }
  printf("%s: %d in %s\n", titles[choice % 3], calls, __func__);
  int (*weigher)(const struct record *) = weigh_record;
  memset(numbers, 0, sizeof numbers);
  return weigher(entry) + weigh_record(entry) + (int)strlen(entry->title) * 16;
}
