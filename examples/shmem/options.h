/* Command lines of the examples: --NAME NUMBER, --help. Only PE 0 says what is wrong, and all end. */
#ifndef EXAMPLES_SHMEM_OPTIONS_H
#define EXAMPLES_SHMEM_OPTIONS_H

#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option {
  const char *name;
  long *value; /* has the default before */
  long least, most;
  const char *help;
};

static inline void print_usage(FILE *to, const char *program, const char *does, const struct option *options)
{
  fprintf(to, "usage: oshrun -np N %s [options]\n%s\n", program, does);
  for (; options->name; options++)
    fprintf(to, "  --%-9s %s (%ld to %ld; default %ld)\n", options->name, options->help, options->least, options->most, *options->value);
  fprintf(to, "  --%-9s print this text\n", "help");
}

/* 0 where `text` is no number that the option can have. */
static inline int take_value(const struct option *o, const char *text)
{
  char *end;
  long v = strtol(text, &end, 10);
  if (end == text || *end || v < o->least || v > o->most) return 0;
  *o->value = v;
  return 1;
}

/* What has a code ends the job at once: PE 0 has said why before. */
static inline void leave(int code)
{
  shmem_barrier_all();
  exit(code);
}

/* The list of options ends with one that has no name. */
static inline void read_options(int argc, char **argv, const char *does, const struct option *options)
{
  for (int i = 1; i < argc; i += 2) {
    const struct option *o = options;
    if (strcmp(argv[i], "--help") == 0) {
      if (_my_pe() == 0) print_usage(stdout, argv[0], does, options);
      exit(0);
    }
    while (o->name && (strncmp(argv[i], "--", 2) != 0 || strcmp(argv[i] + 2, o->name) != 0)) o++;
    if (o->name && i + 1 < argc && take_value(o, argv[i + 1])) continue;
    if (_my_pe() == 0) {
      if (o->name) fprintf(stderr, "%s: %s needs a number from %ld to %ld\n", argv[0], argv[i], o->least, o->most);
      else fprintf(stderr, "%s: unknown option '%s'; see --help\n", argv[0], argv[i]);
    }
    leave(2);
  }
}

/* How many of all PEs say so. */
static inline long count_pes(int yes)
{
  static long mine, all, work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE], sync[_SHMEM_REDUCE_SYNC_SIZE];
  for (int i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) sync[i] = _SHMEM_SYNC_VALUE;
  mine = yes != 0;
  shmem_barrier_all(); /* all have set sync */
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, _num_pes(), work, sync);
  shmem_barrier_all(); /* nobody sets it while another is in the sum */
  return all;
}

#endif
