/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A command line as a table of options, and errors that end the program: of gasnetrun and gasnetbench. */
#ifndef LAUNCH_ARGUMENTS_H
#define LAUNCH_ARGUMENTS_H
#include <stddef.h>

enum { EXIT_MISUSE = 2 };

struct argument {
  const char *name[3];
  const char *value; /* what its value is called; NULL: it takes none */
  const char *help;  /* NULL: it is shown with the one before */
  /* Takes it into the program's settings; `spelled` is its name for errors. Ends the process on misuse. */
  void (*take)(void *settings, const struct argument *a, const char *spelled, const char *value);
  size_t at;          /* where it goes, for the functions below */
  double least, most; /* that a number may be */
};

/* The head of a function for .take. */
#define ARGUMENT_TAKE(name) \
  static void take_##name(__attribute__((unused)) void *settings, \
      __attribute__((unused)) const struct argument *a, __attribute__((unused)) const char *spelled, \
      __attribute__((unused)) const char *value)
/* What .take may be. Into a const char *, into an int that becomes 1, an unsigned, a double. */
void argument_text(void *settings, const struct argument *a, const char *spelled, const char *value);
void argument_flag(void *settings, const struct argument *a, const char *spelled, const char *value);
void argument_count(void *settings, const struct argument *a, const char *spelled, const char *value);
void argument_number(void *settings, const struct argument *a, const char *spelled, const char *value);
/* A whole number within these bounds. */
unsigned argument_parse_count(const char *spelled, const char *text, unsigned least, unsigned most);

/* Takes the option that argv[0] is: "-n 4", "-n4" or "--nodes=4". Returns how many further arguments it has.
 * The table's last line has no name. */
int argument_take(const struct argument *table, char **argv, void *settings);
/* A line for each. */
void argument_print_help(const struct argument *table, int width);
/* Ends the process: output that nobody received is no success. */
_Noreturn void argument_finish(void);

/* Where this program lies: its path, or its directory; "" where the system does not say. */
const char *program_path(void);
const char *program_directory(void);

/* One line, "gasnetrun: ..."; ends the process with that code. */
_Noreturn void fail(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Memory that was asked for; ends the process where there was none. */
void *memory_needed(void *memory);
/* The name that errors begin with. */
extern const char *program_name;
/* Called by fail instead of printing, with the text; may not return. */
extern void (*fail_report)(int code, const char *text);
#endif
