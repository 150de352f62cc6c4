#include "bench/control/plot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/control/chart.h"
#include "bench/control/html.h"
#include "bench/control/settings.h"
#include "launch/options.h"

void plot_prepare(const char *directory)
{
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) fail(EXIT_USAGE, "--plot: cannot make the directory %s: %s", directory, strerror(errno));
  if (access(directory, W_OK | X_OK) != 0) fail(EXIT_USAGE, "--plot: cannot write into %s: %s", directory, strerror(errno));
}

static void write_file(const char *directory, const char *name, const char *end, const char *text, size_t n)
{
  char *path;
  if (asprintf(&path, "%s/%s%s", directory, name, end) < 0) fail(1, "out of memory");
  FILE *f = fopen(path, "we");
  if (!f || fwrite(text, 1, n, f) != n || fclose(f) != 0) fail(1, "cannot write %s: %s", path, strerror(errno));
  free(path);
}

/* Names of tests are letters, digits and underscores: they are names of files. */
static unsigned write_chart(const char *directory, const struct report *r, const char *test)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) fail(1, "out of memory");
  const int drawn = chart_write(f, r, test);
  if (fclose(f) != 0) fail(1, "out of memory");
  if (drawn) write_file(directory, test, ".svg", text, n);
  free(text);
  return (unsigned)drawn;
}

static void write_page(const char *directory, const struct report *r)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) fail(1, "out of memory");
  html_write(f, r);
  if (fclose(f) != 0) fail(1, "out of memory");
  write_file(directory, "report", ".html", text, n);
  free(text);
}

unsigned plot_write(const char *directory, const struct report *r)
{
  unsigned drawn = 0;
  for (unsigned i = 0; i < r->count; i++)
    if (i == 0 || strcmp(r->result[i - 1].test, r->result[i].test) != 0) drawn += write_chart(directory, r, r->result[i].test);
  write_page(directory, r);
  return drawn;
}
