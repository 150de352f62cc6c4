/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Texts into values: the rules that environment variables, gasnett_parse_int and the programs share.
 * All return 0, PST_ERR_INVALID (malformed) or PST_ERR_RANGE (does not fit); the output is set only on 0. */
#ifndef SUPPORT_PARSE_H
#define SUPPORT_PARSE_H
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* yes/no, y/n, true/false, t/f, on/off, 1/0, in any case. */
int pst_parse_bool(const char *text, int *value);
/* A whole number, decimal or 0x hexadecimal, with an optional sign. */
int pst_parse_int(const char *text, int64_t *value);
/* A finite decimal number. */
int pst_parse_double(const char *text, double *value);
/* "64", "0x1000", "1.5G", "64 MB", "2KiB": bytes, units are powers of 1024. A number without a unit is
 * multiplied by `unit` (1 for bytes); the result must be whole unless a unit or `unit` scales it. */
int pst_parse_size(const char *text, uint64_t unit, uint64_t *bytes);
/* "2", "0.5", "2s", "500ms": seconds, not negative. */
int pst_parse_seconds(const char *text, double *seconds);
/* "SIGUSR1", "usr1", "10". */
int pst_parse_signal(const char *text, int *sig);
/* Signals separated by commas; "*", "1", "yes" mean all, "0", "no" none. */
int pst_parse_signals(const char *text, sigset_t *set);

/* "transfer=250,piece=8": changes those numbers of a structure that are named. With an error nothing changes.
 */
struct pst_parse_field {
  const char *name;
  size_t offset; /* of a uint32_t */
  uint32_t least, most;
};
int pst_parse_fields(const char *text, const struct pst_parse_field *fields, unsigned count, void *numbers);
static inline uint32_t *pst_parse_number(const struct pst_parse_field *f, void *numbers)
{
  return (uint32_t *)(void *)((char *)numbers + f->offset);
}

#endif
