/* Floating-point numbers: those that code is likely to care about, and those at which it may forget to: what is no number or
 * has no end, both zeros, what is too small to be whole, the last one before too much, and where rounding turns. */

/* The environment of floating-point arithmetic as programs start with it, and whether a call left another. */
static void plain_arithmetic(void) {
    const unsigned control = 0x1f80;
    __asm__ volatile("fninit\n\tldmxcsr %0" : : "m"(control));
}
static word arithmetic(void) {
    unsigned control;
    unsigned short word_of_control;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(control), "=m"(word_of_control));
    return (control & 0xffc0u) == 0x1f80 && word_of_control == 0x037f ? 0 : (word)(control & 0xffc0u) << 16 | word_of_control;
}

/* One number beside another of so many bits, or itself. */
static long double beside(long double value, word bits, word random) {
    long double to = random & 1 ? __builtin_infl() : -__builtin_infl();
    if (random >> 1 & 1) return value;
    if (bits == 32) return __builtin_nextafterf((float)value, (float)to);
    if (bits == 64) return __builtin_nextafter((double)value, (double)to);
    return __builtin_nextafterl(value, to);
}

/* Code that looks at the sign of what is no number sees the same one all over an input: which of two an operation passes on
 * is not said. Mostly it is the one that operations make. */
static long double no_number(void) {
    return mixed(H->input->seed, 990) & 3 ? -__builtin_nanl("") : __builtin_nanl("");
}

static long double extreme(word bits, word random) {
    static const float narrow[] = {__FLT_MIN__, __FLT_DENORM_MIN__, __FLT_MAX__, __FLT_EPSILON__, 1 + __FLT_EPSILON__, __FLT_MIN__ - __FLT_DENORM_MIN__};
    static const double wide[] = {__DBL_MIN__, __DBL_DENORM_MIN__, __DBL_MAX__, __DBL_EPSILON__, 1 + __DBL_EPSILON__, __DBL_MIN__ - __DBL_DENORM_MIN__};
    static const long double widest[] = {__LDBL_MIN__, __LDBL_DENORM_MIN__, __LDBL_MAX__, __LDBL_EPSILON__, 1 + __LDBL_EPSILON__, __LDBL_MIN__ - __LDBL_DENORM_MIN__};
    word which = random % 6;
    return bits == 32 ? narrow[which] : bits == 64 ? wide[which] : widest[which];
}

/* Where rounding turns: halves, tenths, and where whole numbers begin to have gaps. */
static long double turn(word bits, word random) {
    word digits = bits == 32 ? 24 : bits == 64 ? 53 : 63;
    int small = (int)(random >> 4) % 21 - 10;
    int less = (int)(1 + (random >> 10) % (digits - 4));
    switch (random % 6) {
    case 0: return small + 0.5L;
    case 1: return bits == 32 ? (float)small / 10 : bits == 64 ? (double)small / 10 : (long double)small / 10;
    case 2: return (long double)((word)1 << (digits - (random >> 10) % 2)) + (int)((random >> 12) % 5) - 2;
    /* Beside whole numbers, and not far from them. */
    case 3: return beside(small, bits, random >> 30 & 1);
    case 4: return small + (random >> 30 & 1 ? 1 : -1) / (long double)((word)1 << less);
    default: return (long double)((word)1 << (31 + (random >> 10) % 33)) - (long double)((random >> 18) % 3) / 2;
    }
}

/* One of the numbers that the code has, as they are written there, or one right beside. */
static long double own_real(word bits, word random) {
    word count = plan()->reals, all = count + (plan()->literals ? 2 : 0), which = all ? (random >> 2) % all : 0;
    double value = 1;
    if (which < count) copy(&value, &H->plan[plan()->reals_at + which], sizeof value);
    else if (all) value = (double)(int64_t)literal(random >> 12);
    return beside(random >> 60 & 1 ? -value : value, bits, random);
}

/* How a number is chosen that is one of those at edges; what says that any other will do; those of the code come behind the
 * others; and of how many numbers of an input some are so. */
enum { SPECIAL = 5, ANY_OTHER = 99, FIRST_OWN = 16, MOST_SPECIAL = 3 };

static long double special(word bits, word which) {
    double own = 1;
    switch (which) {
    case 0: return 0.0L;
    case 1: return -0.0L;
    case 2: return __builtin_infl();
    case 3: return -__builtin_infl();
    case 4: return no_number();
    case 5: return extreme(bits, 2);
    case 8: return extreme(bits, 1);
    case 10: return turn(bits, 6 * 7 + 2);
    /* The last one that a half added to does not reach 1. */
    case 11: return beside(0.5L, bits, 0);
    /* Right beside whole numbers. */
    case 12: return beside(2, bits, 0);
    case 13: return beside(3, bits, 1);
    default:
        if (which < FIRST_OWN || (which - FIRST_OWN) / 3 >= plan()->reals) return 1;
        copy(&own, &H->plan[plan()->reals_at + (which - FIRST_OWN) / 3], sizeof own);
        return beside(bits == 32 ? (float)own : own, bits, (which - FIRST_OWN) % 3 == 0 ? 2 : (which - FIRST_OWN) % 3 - 1);
    }
}

static long double real(word key, word bits) {
    static const double edges[] = {0, -0.0, 1, -1, 0.5, 1e-9, 1e9, 1e300, -1e300, 3.25, 100, 255, 1.0 / 3, 2, 10, 1e-300};
    word how, random = chosen(key, &how), more = random >> 8;
    int is_negative = random >> 63 & 1;
    long double value;
    if (how == 1) {
        double wide;
        copy(&wide, &random, sizeof wide);
        value = wide;
    } else if (how == SPECIAL) value = special(bits, random);
    /* In some inputs all have all digits, and about one size: what is rounded shows in most of what is done to them. */
    else if (mixed(H->input->seed, 991) % 4 == 0) {
        value = (long double)(mixed(random, 5) >> 1) / 9223372036854775808.0L + 1;
        if (is_negative) value = -value;
    } else switch (random % 16) {
    case 0: case 1: value = edges[more % (sizeof edges / sizeof *edges)]; break;
    case 2: value = (long double)(more % 100); break;
    case 3: value = more % 4 == 0 ? no_number() : more % 4 == 1 ? (is_negative ? -__builtin_infl() : __builtin_infl()) : is_negative ? -0.0L : 0.0L; break;
    case 4: value = is_negative ? -extreme(bits, more) : extreme(bits, more); break;
    case 5: value = is_negative ? -turn(bits, more) : turn(bits, more); break;
    case 6: case 7: value = own_real(bits, mixed(random, 3)); break;
    case 8: value = (long double)(int64_t)mixed(random, 2) / 4294967296.0L; break;
    /* All digits, so that the order of operations shows, and of any size. */
    case 9: value = (long double)(int64_t)mixed(random, 4); for (word power = more % 120; power-- > 0;) value /= 2; break;
    case 10: value = (long double)(mixed(random, 5) >> 1) / 9223372036854775808.0L + 1; break;
    /* What was there before, or its opposite. */
    case 11: value = more & 1 ? -H->last_real : beside(H->last_real, bits, more >> 1); break;
    default: value = (long double)((int64_t)(more % 20001) - 10000) / 1000; break;
    }
    if (bits == 32) value = (float)value;
    if (bits == 64) value = (double)value;
    H->last_real = value;
    double wide = (double)value;
    word seen;
    copy(&seen, &wide, sizeof seen);
    drew_one((struct drawn){key, seen, 8, 0, bits});
    return value;
}
