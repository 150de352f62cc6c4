/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The environment, and numbers as people write them (README-tools, "Environment"). With GASNET_VERBOSEENV
 * each look-up with a default is printed on stderr, in a job by node 0 only. */
#ifndef PENSTOCK_TOOLS_ENV_H
#define PENSTOCK_TOOLS_ENV_H
#include "penstock/platform.h"
PST_BEGIN_C

/* The environment owns the value; NULL when unset. */
char *gasnett_getenv(const char *name);
char *gasnett_getenv_withdefault(const char *name, const char *deflt);
int gasnett_getenv_yesno_withdefault(const char *name, int deflt);
/* mem_multiplier 0: a plain integer. Else the value is a size with a unit; without one it counts units of
 * mem_multiplier bytes. Malformed values are fatal; the message names variable and value. */
int64_t gasnett_getenv_int_withdefault(const char *name, int64_t deflt, uint64_t mem_multiplier);
double gasnett_getenv_dbl_withdefault(const char *name, double deflt);

void gasnett_setenv(const char *name, const char *value);
void gasnett_unsetenv(const char *name);

int gasnett_verboseenv(void);
/* Print a line as the look-ups do, if gasnett_verboseenv(). */
void gasnett_envstr_display(const char *name, const char *value, int is_default);
void gasnett_envint_display(const char *name, int64_t value, int is_default, int is_mem_size);
void gasnett_envdbl_display(const char *name, double value, int is_default);

/* "12", "0x1f", "1.5G", "64 MB", "-3". mem_multiplier as above. Malformed text is fatal. */
int64_t gasnett_parse_int(const char *text, uint64_t mem_multiplier);
/* Writes val in decimal or, with ismem, in the largest unit that divides it: "64 MB". Returns buf. */
char *gasnett_format_number(int64_t val, char *buf, size_t bufsz, int ismem);

PST_END_C
#endif
