/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef TOOLS_GASNET_INFO_H
#define TOOLS_GASNET_INFO_H
#include <stdint.h>

#include "support/env.h"

/* The table of environment variables, for people; returns the number of malformed values in
 * the environment. */
int info_env_table(void);
/* The same as the section ENVIRONMENT of a manual page. */
void info_env_manual(void);
/* As facts: the whole table, likewise; what is set, for a report. */
int info_env_facts(void);
void info_env_set(void);
/* Whether the value in force is legal: one that is not ends the program that asks for it. */
int info_env_good(const struct pst_variable *v);

/* The constants of each conduit for non-contiguous transfers, and what follows from them. */
void info_vis_cost(void);
void info_coll_cost(void);

/* Sections of facts (gasnet_info_out.h), each printed by a call. */
void info_build(void);    /* versions, options of configure, compilers */
void info_conduits(void); /* each conduit: whether it works here, else why not, and what it found */
void info_limits(void);   /* of the library, of a process, of the control group */
void info_launchers(void);
void info_host(void); /* in short */
/* For a report: */
void info_system(void);
void info_processors(void);
void info_memory(void);
void info_network(void);

/* ---- finding out: gasnet_info_read.c ---- */

/* The first line of a file, or of one in a directory, without its end; 0: there is none. */
int info_read(const char *path, char *line, int size);
int info_read_in(const char *dir, const char *name, char *line, int size);
/* Its number; `none` where it has none. */
uint64_t info_read_number(const char *path, uint64_t none);
/* What follows "name" and blanks, colons or = in a file that has a line for each name; 0: nothing does. */
int info_read_named(const char *path, const char *name, char *value, int size);
/* Where PATH has a program: 1, and its path. */
int info_which(const char *program, char *path, int size);

/* ---- a process of its own: gasnet_info_read.c ---- */

struct info_child {
  const char *ended; /* NULL: well; else how, a text that stays until the next call */
  char said[4096];   /* lines that it wrote to its standard error, or that libraries wrote to their standard
                        output */
};
/* Runs there what tells facts, so that libraries which print, hang or crash do no harm. Its facts are this
 * process's where it ended well. */
void info_in_child(void (*tell)(const void *context), const void *context, struct info_child *c);

#endif
