/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What gasnet_info prints: facts, in sections, as lines for people or as JSON. */
#ifndef TOOLS_GASNET_INFO_OUT_H
#define TOOLS_GASNET_INFO_OUT_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum info_form { INFO_TEXT, INFO_JSON };

/* Between the two everything else is called. names: those of hosts, users and addresses are shown. */
void info_begin(enum info_form form, int names);
void info_end(void);
int info_shows_names(void);

/* Each ends the one before it. A group is within a section. */
void info_section(const char *name);
void info_group(const char *name);
void info_group_end(void);
/* A member of a list: facts that follow belong to it, until another call of this; NULL, NULL ends
 * the list. */
void info_item(const char *list, const char *name);

void info_fact(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
void info_count(const char *name, int64_t value);
void info_size(const char *name, uint64_t bytes); /* UINT64_MAX: unlimited */
enum { INFO_BYTES = 24 };
const char *info_bytes(uint64_t bytes, char text[INFO_BYTES]); /* as people read it; returns text */
/* yes, or no: why not (which may be NULL). */
void info_flag(const char *name, int yes, const char *why_not);

/* Facts go to this stream from now on; returns the one before. follows: other facts of the same group will be
 * put before them. info_insert writes the text of diverted facts. */
FILE *info_divert(FILE *to, int follows);
void info_insert(const char *text);

#endif
