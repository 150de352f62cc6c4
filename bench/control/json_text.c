#include "bench/control/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int json_wrong(struct reader *r, const char *what)
{
  if (!r->error) r->error = what;
  return -1;
}

int json_more(const struct reader *r) { return r->at < r->end; }

void json_skip_blanks(struct reader *r)
{
  while (json_more(r) && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) r->at++;
}

int json_take(struct reader *r, char c)
{
  if (!json_more(r) || *r->at != c) return 0;
  r->at++;
  return 1;
}

/* ---- strings ---- */

static int hexadecimal(struct reader *r, unsigned *code)
{
  *code = 0;
  for (int i = 0; i < 4; i++) {
    static const char digits[] = "0123456789abcdef";
    const char *found = json_more(r) && *r->at ? strchr(digits, *r->at >= 'A' && *r->at <= 'F' ? *r->at + 32 : *r->at) : NULL;
    if (!found) return json_wrong(r, "\\u needs four hexadecimal digits");
    *code = *code << 4 | (unsigned)(found - digits);
    r->at++;
  }
  return 0;
}

static void put(struct reader *r, unsigned byte) { r->j->strings[r->j->used++] = (char)byte; }

static void put_code(struct reader *r, unsigned c)
{
  if (c < 0x80) {
    put(r, c);
    return;
  }
  if (c < 0x800) put(r, 0xc0 | c >> 6);
  else if (c < 0x10000) put(r, 0xe0 | c >> 12);
  else put(r, 0xf0 | c >> 18), put(r, 0x80 | (c >> 12 & 0x3f));
  if (c >= 0x800) put(r, 0x80 | (c >> 6 & 0x3f));
  put(r, 0x80 | (c & 0x3f));
}

/* Behind \u: one code, or two that stand for one above 0xffff. */
static int read_code(struct reader *r)
{
  unsigned code, low;
  if (hexadecimal(r, &code) != 0) return -1;
  if (code == 0) return json_wrong(r, "a string with a nul");
  if (code >= 0xdc00 && code < 0xe000) return json_wrong(r, "half of a pair of codes");
  if (code >= 0xd800 && code < 0xdc00) {
    if (!json_take(r, '\\') || !json_take(r, 'u') || hexadecimal(r, &low) != 0 || low < 0xdc00 || low >= 0xe000)
      return json_wrong(r, "half of a pair of codes");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  put_code(r, code);
  return 0;
}

static int read_escape(struct reader *r)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char *found = json_more(r) && *r->at ? strchr(from, *r->at) : NULL;
  if (json_take(r, 'u')) return read_code(r);
  if (!found) return json_wrong(r, "no such escape");
  r->at++;
  put(r, (unsigned char)to[found - from]);
  return 0;
}

/* How many bytes the character has that begins here; 0: it is not UTF-8. */
static unsigned length(const unsigned char *p, size_t left)
{
  const unsigned n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
  if (n == 0 || n > left) return 0;
  for (unsigned i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0)) return 0;
  if ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90)) return 0;
  return n;
}

/* Behind the quote. What is decoded is never longer than what it was read from. */
const char *json_string(struct reader *r)
{
  const char *made = r->j->strings + r->j->used;
  while (json_more(r) && *r->at != '"') {
    if ((unsigned char)*r->at < ' ') {
      json_wrong(r, "a control character in a string");
      return NULL;
    }
    if (json_take(r, '\\')) {
      if (read_escape(r) != 0) return NULL;
      continue;
    }
    unsigned n = length((const unsigned char *)r->at, (size_t)(r->end - r->at));
    if (n == 0) {
      json_wrong(r, "a string that is not UTF-8");
      return NULL;
    }
    while (n-- > 0) put(r, (unsigned char)*r->at++);
  }
  if (!json_take(r, '"')) {
    json_wrong(r, "a string without an end");
    return NULL;
  }
  put(r, 0);
  return made;
}

/* ---- numbers ---- */

static unsigned digits(struct reader *r)
{
  unsigned n = 0;
  for (; json_more(r) && *r->at >= '0' && *r->at <= '9'; n++) r->at++;
  return n;
}

int json_number(struct reader *r, double *value)
{
  char text[64];
  const char *start = r->at;
  json_take(r, '-');
  if (!json_take(r, '0') && digits(r) == 0) return json_wrong(r, "no value");
  if (json_take(r, '.') && digits(r) == 0) return json_wrong(r, "a point without digits behind it");
  if (json_take(r, 'e') || json_take(r, 'E')) {
    if (!json_take(r, '+')) json_take(r, '-');
    if (digits(r) == 0) return json_wrong(r, "an exponent without digits");
  }
  const size_t n = (size_t)(r->at - start);
  if (n >= sizeof text) return json_wrong(r, "a number that is too long");
  memcpy(text, start, n);
  text[n] = '\0';
  *value = strtod(text, NULL);
  return isfinite(*value) ? 0 : json_wrong(r, "a number that is too large");
}
