/* Reads JSON (RFC 8259), strictly and within bounds: nothing that the standard does not allow, no member of an object twice, no nul in
 * a string, numbers that are finite. */
#ifndef BENCH_CONTROL_JSON_H
#define BENCH_CONTROL_JSON_H
#include <stddef.h>

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };
enum { JSON_NONE = 0, JSON_DEPTH = 16, JSON_MEMBERS = 64, JSON_VALUES = 1000000 };
#define JSON_BYTES ((size_t)32 << 20)

/* Values know each other by their number in the tree. */
struct json_value {
  enum json_kind kind;
  const char *name;    /* of a member; else NULL */
  const char *string;
  double number;
  unsigned first, next; /* child, and what follows in the same array or object; or JSON_NONE */
};

struct json {
  struct json_value *value; /* [1] is the whole */
  unsigned count, room;
  char *strings;
  size_t used;
};

/* 0; or -1, what is wrong, and at which byte. *j is for json_free in any case. */
int json_read(const char *text, size_t n, struct json *j, const char **error, size_t *at);
void json_free(struct json *j);
/* The member of that name and kind, or NULL. */
const struct json_value *json_member(const struct json *j, const struct json_value *object, const char *name, enum json_kind kind);
#endif
