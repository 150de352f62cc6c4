/* Lists of sizes. */
#include <stdlib.h>
#include <string.h>

#include "bench/control/settings.h"
#include "launch/options.h"
#include "support/parse.h"

static const size_t largest = (size_t)1 << 36;

static size_t one_size(const char *option, const char *text)
{
  uint64_t v;
  if (pst_parse_size(text, 1, &v) != 0) fail(EXIT_USAGE, "%s: '%s' is no size; write 8, 64K, 1M or 8:1M:x4", option, text);
  if (v < 1 || v > largest) fail(EXIT_USAGE, "%s: '%s': 1 byte to 64G are possible", option, text);
  return (size_t)v;
}

static void add(struct settings *s, const char *option, size_t size)
{
  unsigned at = 0;
  while (at < s->sizes && s->size[at] < size) at++;
  if (at < s->sizes && s->size[at] == size) return;
  if (s->sizes == SIZES_MOST) fail(EXIT_USAGE, "%s: more than %d sizes", option, SIZES_MOST);
  memmove(&s->size[at + 1], &s->size[at], (s->sizes - at) * sizeof *s->size);
  s->size[at] = size;
  s->sizes++;
}

/* "x4" or "+64": what comes after `size`. */
static size_t next(const char *option, const char *step, size_t size)
{
  const size_t by = *step == 'x' || *step == '+' ? one_size(option, step + 1) : 0;
  if (*step == 'x' && by >= 2) return by > largest / size ? largest + 1 : size * by;
  if (*step == '+') return size + by;
  fail(EXIT_USAGE, "%s: the step '%s' is neither like x4 nor like +64", option, step);
}

static void take_range(struct settings *s, const char *option, char *from, char *to)
{
  char *step = strchr(to, ':');
  if (step) *step++ = '\0';
  const size_t last = one_size(option, to);
  size_t size = one_size(option, from);
  if (size > last) fail(EXIT_USAGE, "%s: %s is more than %s", option, from, to);
  for (; size <= last; size = next(option, step ? step : "x2", size)) add(s, option, size);
}

void sizes_take(struct settings *s, const char *option, const char *text)
{
  char *copy = strdup(text), *rest = copy;
  if (!copy) fail(1, "out of memory");
  for (char *item; (item = strsep(&rest, ",")) != NULL;) {
    char *colon = strchr(item, ':');
    if (!colon) {
      add(s, option, one_size(option, item));
      continue;
    }
    *colon = '\0';
    take_range(s, option, item, colon + 1);
  }
  free(copy);
}
