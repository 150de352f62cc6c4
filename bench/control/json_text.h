/* What JSON is made of, below arrays and objects. */
#ifndef BENCH_CONTROL_JSON_TEXT_H
#define BENCH_CONTROL_JSON_TEXT_H
#include "bench/control/json.h"

struct reader {
  const char *start, *at, *end;
  struct json *j;
  const char *error;
  unsigned depth;
};

/* Notes what is wrong, unless something was before; -1. */
int json_wrong(struct reader *r, const char *what);
int json_more(const struct reader *r);
void json_skip_blanks(struct reader *r);
/* Is this the next character? Then it is behind it. */
int json_take(struct reader *r, char c);
/* Behind the quote: the string, or NULL. */
const char *json_string(struct reader *r);
int json_number(struct reader *r, double *value);
#endif
