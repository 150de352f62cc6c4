#include "bench/control/json_text.h"

#include <stdlib.h>
#include <string.h>

static unsigned add(struct reader *r, enum json_kind kind)
{
  struct json *j = r->j;
  if (j->count + 1 >= JSON_VALUES) {
    json_wrong(r, "there are too many values");
    return JSON_NONE;
  }
  if (j->count + 1 >= j->room) {
    const unsigned room = j->room ? 2 * j->room : 256;
    struct json_value *grown = realloc(j->value, room * sizeof *grown);
    if (!grown) {
      json_wrong(r, "there is no memory for it");
      return JSON_NONE;
    }
    j->value = grown;
    j->room = room;
  }
  j->value[++j->count] = (struct json_value){.kind = kind};
  return j->count;
}

/* ---- values ---- */

static unsigned read_value(struct reader *r);

static int has_member(const struct json *j, unsigned first, const char *name)
{
  for (unsigned i = first; i != JSON_NONE; i = j->value[i].next)
    if (strcmp(j->value[i].name, name) == 0) return 1;
  return 0;
}

/* A member's name and colon; NULL: an error. */
static const char *read_name(struct reader *r, unsigned object)
{
  json_skip_blanks(r);
  if (!json_take(r, '"')) {
    json_wrong(r, "a member without a name in quotes");
    return NULL;
  }
  const char *name = json_string(r);
  if (!name) return NULL;
  if (has_member(r->j, r->j->value[object].first, name)) {
    json_wrong(r, "a member twice");
    return NULL;
  }
  json_skip_blanks(r);
  if (json_take(r, ':')) return name;
  json_wrong(r, "a member without a colon");
  return NULL;
}

/* Behind the bracket: all up to `close`. */
static int read_items(struct reader *r, unsigned whole, char close)
{
  unsigned last = JSON_NONE, members = 0;
  json_skip_blanks(r);
  if (json_take(r, close)) return 0;
  for (;;) {
    const char *name = NULL;
    if (close == '}' && ++members > JSON_MEMBERS) return json_wrong(r, "an object with too many members");
    if (close == '}' && !(name = read_name(r, whole))) return -1;
    const unsigned item = read_value(r);
    if (item == JSON_NONE) return -1;
    r->j->value[item].name = name;
    if (last == JSON_NONE) r->j->value[whole].first = item;
    else r->j->value[last].next = item;
    last = item;
    json_skip_blanks(r);
    if (json_take(r, close)) return 0;
    if (!json_take(r, ',')) return json_wrong(r, "neither a comma nor the end of an array or object");
  }
}

static unsigned read_whole(struct reader *r, enum json_kind kind)
{
  const unsigned made = add(r, kind);
  if (made == JSON_NONE) return JSON_NONE;
  if (++r->depth > JSON_DEPTH) {
    json_wrong(r, "arrays and objects within each other, too deep");
    return JSON_NONE;
  }
  const int failed = read_items(r, made, kind == JSON_ARRAY ? ']' : '}');
  r->depth--;
  return failed ? JSON_NONE : made;
}

static unsigned read_word(struct reader *r)
{
  static const struct {
    const char *word;
    enum json_kind kind;
  } known[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
  for (unsigned i = 0; i < 3; i++) {
    const size_t n = strlen(known[i].word);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, known[i].word, n) != 0) continue;
    r->at += n;
    return add(r, known[i].kind);
  }
  json_wrong(r, "no value");
  return JSON_NONE;
}

static unsigned read_value(struct reader *r)
{
  double number = 0;
  const char *string = NULL;
  json_skip_blanks(r);
  if (json_take(r, '{')) return read_whole(r, JSON_OBJECT);
  if (json_take(r, '[')) return read_whole(r, JSON_ARRAY);
  const int quoted = json_take(r, '"');
  if (!quoted && !(json_more(r) && (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')))) return read_word(r);
  if (quoted && !(string = json_string(r))) return JSON_NONE;
  if (!quoted && json_number(r, &number) != 0) return JSON_NONE;
  const unsigned made = add(r, quoted ? JSON_STRING : JSON_NUMBER);
  if (made == JSON_NONE) return JSON_NONE;
  r->j->value[made].string = string;
  r->j->value[made].number = number;
  return made;
}

int json_read(const char *text, size_t n, struct json *j, const char **error, size_t *at)
{
  struct reader r = {text, text, text + n, j, NULL, 0};
  *j = (struct json){0};
  if (n > JSON_BYTES) json_wrong(&r, "it is too large");
  else if (!(j->strings = malloc(n + 1))) json_wrong(&r, "there is no memory for it");
  else if (read_value(&r) != JSON_NONE) {
    json_skip_blanks(&r);
    if (json_more(&r)) json_wrong(&r, "something behind the end");
  }
  *error = r.error;
  *at = (size_t)(r.at - r.start);
  return r.error ? -1 : 0;
}

void json_free(struct json *j)
{
  free(j->value);
  free(j->strings);
  *j = (struct json){0};
}

const struct json_value *json_member(const struct json *j, const struct json_value *object, const char *name, enum json_kind kind)
{
  for (unsigned i = object->first; i != JSON_NONE; i = j->value[i].next)
    if (j->value[i].kind == kind && strcmp(j->value[i].name, name) == 0) return &j->value[i];
  return NULL;
}
