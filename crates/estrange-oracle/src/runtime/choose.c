/* Choosing values. Each choice has a key that says what it is for; it follows from the key and the input's seed, unless
 * the input says otherwise. So an input can be changed in one place and stays the same in all others. */

/* In place of a size: what was chosen is where a pointer points, or what more a text has. */
enum { ADDRESS = 16, MORE_TEXT = 17 };

static word chosen(word key, word *how) {
    for (word index = 0; index < H->input->count; index++)
        if (H->input->choices[index].key == key) {
            *how = H->input->choices[index].how;
            return H->input->choices[index].value;
        }
    *how = 0;
    return mixed(H->input->seed, key);
}

static void drew_one(struct drawn drawn) {
    if (H->is_exploring && H->drawn_count < MOST_DRAWN) H->drawn[H->drawn_count++] = drawn;
}

static void drew(word key, word value, word size) { drew_one((struct drawn){key, value, size, 0}); }

/* One of so many. */
static word one_of(word key, word count) {
    word how, random = chosen(key, &how);
    drew(key, 0, 0);
    return random % count;
}

static word cut(word value, word bits) { return bits >= 64 ? value : value & (((word)1 << bits) - 1); }

/* Of the buffers of the same struct or call, a length that one of them has. */
static int recent_length(word random, word *length) {
    unsigned count = H->recent_count - H->recent_from;
    if (count == 0) return 0;
    *length = H->recent[H->recent_from + random % count].length;
    return 1;
}

/* One of the numbers that the code has, if it has any. */
static word literal(word random) { return H->plan[plan()->literals_at + random % plan()->literals]; }

static word character(word random) {
    static const char likely[] = "0123456789abcdefxyzABCXYZ \t\n.,:;-+*/%&|!?<>=()[]{}'\"\\_#@$~^`";
    switch (random % 8) {
    case 0: return (random >> 8) % 256;
    case 1: return '0' + (random >> 8) % 10;
    case 2: return 'a' + (random >> 8) % 26;
    case 3:
        if (plan()->literals) return literal(random >> 8) & 0xff;
        /* fall through */
    default: return (unsigned char)likely[(random >> 8) % (sizeof likely - 1)];
    }
}

/* Numbers that the code has are added, taken from each other and multiplied before they are compared, and flags joined. */
static word of_two_literals(word random) {
    word a = literal(random), b = literal(random >> 16);
    if ((random >> 32) % 5 < 2) return a | b;
    word value = (random >> 32) % 5 == 2 ? a + b : (random >> 32) % 5 == 3 ? a - b : a * b;
    return value + ((random >> 40) % 4 == 0 ? 1 : (random >> 40) % 4 == 1 ? -1 : 0);
}

static int stretched_number(word key, word bits, word *value);

/* A whole number of so many bits: one of all, a character, or one that code is likely to care about. */
enum { ANY = 2 };
static word number(word key, word bits, int is_signed, int is_character) {
    word how, value, length, random = chosen(key, &how);
    if (how == 1) {
        value = random;
    } else if (!is_character && stretched_number(key, bits, &value)) {
    } else if (H->is_parameter && H->is_nothing_handed && random >> 61 & 1) {
        /* As many as there are of nothing. */
        value = 0;
    } else if (H->stretch && !is_character && bits >= 16 && random >> 63 && recent_length(random >> 8, &length)) {
        value = length;
    } else if (is_character == ANY) {
        value = random >> 8;
    } else if (is_character && bits == 8 && random % 4) {
        value = character(random >> 2);
    } else {
        word more = random >> 8;
        switch (random % 16) {
        case 0: case 1: value = more % 4; break;
        case 2: case 3: value = more % 9; break;
        case 4: value = is_signed ? -(more % 5) : more % 33; break;
        case 5: case 6: case 7: case 8:
            value = plan()->literals
                        ? literal(more) + ((more >> 32) % 8 == 0 ? 1 : (more >> 32) % 8 == 1 ? -1 : 0)
                        : more % 17;
            break;
        case 9: {
            static const word edges[] = {0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000u,
                                         0xffffffffu, 0x7fffffffffffffffu, 0x8000000000000000u, -1};
            value = edges[more % (sizeof edges / sizeof *edges)];
            break;
        }
        case 10: value = mixed(more, 1); break;
        case 11:
            value = more % 256;
            /* Where a quotient by a number that the code has changes for the last time. */
            if (plan()->literals && more >> 8 & 1) {
                word most = cut(is_signed ? ~((word)1 << (bits - 1)) : -1, bits), by = cut(literal(more >> 9), bits);
                if (by > 1 && by <= most) value = most / by * by - (more >> 40 & 1);
            }
            break;
        case 12: value = (word)1 << more % bits; break;
        case 13: case 14:
            value = more % 3;
            if (recent_length(more, &length)) value = (more >> 16) % 4 ? length : (more >> 24) % (length + 1);
            break;
        default:
            value = more % 65;
            if (plan()->literals && more >> 8 & 1) value = of_two_literals(more >> 9);
            break;
        }
    }
    value = cut(value, bits);
    drew(key, value, bits / 8);
    return value;
}

/* One of the texts that the code has, or a part of it; says how many characters that is. */
static word piece(word random, char *to, word room) {
    const word *at = H->plan + H->plan[plan()->texts_at + (random >> 8) % plan()->texts];
    const char *from = (const char *)(at + 1);
    word start = 0, length = *at;
    switch (random % 4) {
    case 0: length = (random >> 36) % (length + 1); break;
    case 1: start = (random >> 36) % (length + 1), length = (random >> 48) % (length - start + 1); break;
    default: break;
    }
    if (length > room) length = room;
    copy(to, from + start, length);
    return length;
}

/* Text of at most so many characters; says how many. */
static word compose(word key, char *to, word room) {
    word how, random = chosen(key, &how), count = 0;
    word length = room ? (random >> 4) % (room + 1) : 0;
    if ((random >> 40) % 4) length = length > 12 ? length % 13 : length;
    if (plan()->texts && random % 16 < 7) {
        /* Of the texts that the code itself has, sometimes with something before or behind it. */
        if ((random >> 20) % 4 == 0 && room > 2) to[count++] = (char)character(mixed(key, random));
        count += piece(mixed(random, 1), to + count, room - count);
        if ((random >> 50) % 3 == 0) count += piece(mixed(random, 2), to + count, room - count);
        if ((random >> 24) % 4) return count;
    }
    word style = (random >> 28) % 8;
    for (; count < length; count++) {
        word each = mixed(random, count);
        switch (style) {
        case 0: to[count] = (char)('0' + each % 10); break;
        case 1: to[count] = (char)('a' + each % 26); break;
        case 2: to[count] = (char)(each % 255 + 1); break;
        case 3: {
            /* Characters of several bytes, mostly whole. */
            static const char *const many[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xcc\x88", "\xed\xa0\x80", "\xc0\x80"};
            const char *one = many[each % 6];
            if (each % 16 == 15) { to[count] = (char)(each >> 8 | 1); break; }
            while (*one && count < room) to[count++] = *one++;
            count--;
            break;
        }
        /* Two bytes for each character, the larger one first or last. */
        case 4: to[count] = count % 2 || each % 32 == 31 ? (char)character(mixed(random, count)) : 0; break;
        case 5: to[count] = count % 2 == 0 || each % 32 == 31 ? (char)character(mixed(random, count)) : 0; break;
        default: to[count] = (char)(character(each) ? character(each) : ' '); break;
        }
    }
    return count;
}

/* More of a text, at its end or within it, if that was chosen; says how long it is then. */
static word extend(word key, char *to, word count, word room) {
    word how, random = chosen(key, &how);
    drew(key, 0, MORE_TEXT);
    if (how != 2 || count >= room) return count;
    char more[16];
    word length = 1 + random % 6, at = (random >> 8) % 3 ? count : (random >> 16) % (count + 1);
    if (plan()->texts && (random >> 24) % 4 == 0) length = piece(mixed(random, 3), more, sizeof more);
    else for (word index = 0; index < length; index++) more[index] = (char)(random >> 26 & 1 ? '0' + mixed(random, index) % 10 : character(mixed(random, index)));
    if (length > room - count) length = room - count;
    for (word index = count; index-- > at;) to[index + length] = to[index];
    copy(to + at, more, length);
    return count + length;
}

/* Text, with each character open to a choice of its own. */
static word text(word key, char *to, word room) {
    word count = compose(key, to, room);
    drew(key, 0, 0);
    count = extend(mixed(key, 98), to, count, room);
    count = extend(mixed(key, 99), to, count, room);
    for (word index = 0; index < count; index++) {
        word how, own = mixed(key, index + 100), value = chosen(own, &how);
        if (how) to[index] = (char)(how == 1 ? value : character(value));
        drew_one((struct drawn){own, (unsigned char)to[index], 1, 1});
    }
    return count;
}
