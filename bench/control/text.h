/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Texts that are made: they live until the program ends, as it says little. */
#ifndef BENCH_CONTROL_TEXT_H
#define BENCH_CONTROL_TEXT_H

const char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Both, with `between` where there is something before it. */
const char *text_add(const char *text, const char *between, const char *more);
/* What comes from outside: 255 characters of it at most, in printable ASCII; each other character becomes a
 * question mark. */
const char *text_plain(const char *text);
#endif
