/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Texts that are put together, and memory that lives until the translation ends. */
#ifndef XMPCC_TEXT_H
#define XMPCC_TEXT_H
#include <stdarg.h>
#include <stddef.h>

struct text {
  char *s; /* zero-terminated; NULL while it is empty */
  size_t length, room;
};

void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(struct text *t, const char *fmt, va_list args);
/* What has been added, "" where that is nothing. It lives until kept_free. */
const char *text_get(const struct text *t);
/* A text of its own. */
const char *text_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "1 dimension", "2 dimensions" */
const char *text_count(int n, const char *what);
/* A string literal of C with these bytes. */
const char *text_quoted(const char *s);

/* Zeroed memory. Without memory the program ends with a message. */
void *kept_take(size_t size);
/* A list of count elements, as kept_take gave it, with room for one more: the same, or a larger copy. */
void *kept_grow(void *list, size_t count, size_t element);
void kept_free(void);

#endif
