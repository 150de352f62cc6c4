/* The options there are. */
#ifndef BENCH_CONTROL_SETTINGS_TABLE_H
#define BENCH_CONTROL_SETTINGS_TABLE_H

enum id {
  NODES, HOST_LIST, HOST_FILE, HOSTS, LAUNCH, CONDUIT, TRANSPORT, THREADS, PAR, SIZES, TIME, ROUNDS, RAW, UNPINNED, VS, NOISE, CHECK, STRICT,
  CSV, JSON, OUTPUT, PLOT, LAUNCHER, WORKERS, VERBOSE, HELP, VERSION
};

struct entry {
  const char *name[3];
  const char *argument; /* NULL: takes none */
  enum id id;
  const char *help;     /* NULL: shown with the one before */
};

/* What an argument is: "-n", or "-n4" and "--nodes=4", whose *attached is what is attached, else NULL. NULL: there is no such option. */
const struct entry *entry_find(const char *arg, const char **attached);
void print_help(void);
#endif
