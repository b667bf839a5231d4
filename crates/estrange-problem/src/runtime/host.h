/* What the program that runs answers and the code that calls a function say to each other. */

#ifndef ESTRANGE_HOST
#define ESTRANGE_HOST
struct estrange_host {
    /* The function of the answer. */
    void *target;
    /* What is left of the arguments. */
    const unsigned char *at;
    unsigned long long (*take)(void);
    unsigned char (*take_byte)(void);
    /* A text of the arguments in a block of its own, with so much room: with a zero byte behind it. */
    char *(*take_text)(void);
    void (*take_into)(char *into, unsigned long long count);
    /* A block of exactly this size, which the sanitizer watches. */
    void *(*make)(unsigned long long size);
    void (*give)(unsigned long long number);
    void (*give_byte)(unsigned char byte);
    void (*give_bytes)(const void *bytes, unsigned long long count);
    void (*give_text)(const char *text);
    /* Reads all of a block that the answer has made, so that the sanitizer sees if it cannot be read. */
    void (*touch)(const void *from, unsigned long long size);
};
#endif
