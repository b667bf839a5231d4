#include <limits.h>
#include <stdint.h>

struct wav_format {
    uint16_t tag;
    uint16_t channels;
    uint32_t sample_rate;
    uint16_t bits_per_sample;
    uint16_t block_align;
};

enum { WAV_OK = 0, WAV_BAD_FORMAT = -1 };

/* Length of the data chunk in milliseconds, or a negative error code. */
int wav_duration_ms(const struct wav_format *fmt, uint32_t data_bytes)
{
    if (fmt->tag != 1 && fmt->tag != 3)
        return WAV_BAD_FORMAT;
    if (fmt->sample_rate == 0 || fmt->sample_rate > 384000 || fmt->block_align == 0)
        return WAV_BAD_FORMAT;
    if (fmt->channels * fmt->bits_per_sample / 8 != fmt->block_align)
        return WAV_BAD_FORMAT;

    int frames = (int)(data_bytes / fmt->block_align);
    if (frames < 0)
        return WAV_BAD_FORMAT;
    int ms = frames * 1000 / (int)fmt->sample_rate;
    return ms;
}
