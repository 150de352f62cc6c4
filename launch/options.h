/* The command line of gasnetrun. */
#ifndef LAUNCH_OPTIONS_H
#define LAUNCH_OPTIONS_H

enum { EXIT_MISUSE = 2, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

struct options {
  unsigned nodes;
  int verbose;
  int tag_output;
  const char *workdir;  /* NULL: here */
  char **program;       /* the program and its arguments, NULL at the end */
};

/* Fills *o, changes the environment as -E asks. --help, --version and every misuse end the process. */
void options_parse(int argc, char **argv, struct options *o);
/* One line, "gasnetrun: ..."; ends the process with that code. */
_Noreturn void fail(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
