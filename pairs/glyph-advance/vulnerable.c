#include <stddef.h>
#include <stdint.h>

struct glyph {
    uint16_t id;
    int32_t advance;
    int32_t kern;
};

struct glyph_run {
    const struct glyph *glyphs;
    size_t count;
    int32_t scale; /* 16.16 */
    int32_t tracking;
};

/* Width of a run in pixels, after scaling from font units. */
int32_t layout_line_width(const struct glyph_run *run, int use_kerning)
{
    int32_t pen = 0;
    size_t i;

    if (run->count == 0 || run->glyphs == NULL)
        return 0;

    for (i = 0; i < run->count; i++) {
        pen += (run->glyphs[i].advance * run->scale + 0x8000) >> 16;
        if (use_kerning && i + 1 < run->count)
            pen += run->glyphs[i + 1].kern / 64;
        pen += run->tracking;
    }
    return pen;
}
