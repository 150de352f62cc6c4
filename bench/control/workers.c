#include "bench/control/workers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/options.h"

static const char *own_directory(void)
{
  static char path[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
  return path;
}

/* `mode` as for access. */
static char *usable(const char *dir, const char *beside, const char *name, int mode)
{
  char *path;
  if (asprintf(&path, "%s/%s%s", dir, beside, name) < 0) fail(1, "out of memory");
  if (access(path, mode) == 0) return path;
  free(path);
  return NULL;
}

const char *launcher_path(const struct settings *s)
{
  static char *path;
  if (s->launcher && access(s->launcher, X_OK) != 0) fail(EXIT_USAGE, "--launcher %s: %m", s->launcher);
  if (s->launcher) return s->launcher;
  if (!path) path = usable(own_directory(), "", "gasnetrun", X_OK);
  if (!path) fail(1, "there is no gasnetrun beside this program, in %s; say where: --launcher PATH", own_directory());
  return path;
}

char *worker_path(const struct settings *s, const char *name, char *reason)
{
  static const char *const beside[] = {"../libexec/", "../lib/penstock/", "../lib64/penstock/"};
  const size_t n = strlen(name);
  const int mode = n > 3 && strcmp(name + n - 3, ".so") == 0 ? R_OK : X_OK;
  char *path = NULL;
  if (s->workers) {
    path = usable(s->workers, "", name, mode);
    if (!path) snprintf(reason, 256, "there is no %s in %.180s", name, s->workers);
    return path;
  }
  for (unsigned i = 0; !path && i < sizeof beside / sizeof *beside; i++) path = usable(own_directory(), beside[i], name, mode);
  if (!path) path = usable(PST_LIBDIR, "penstock/", name, mode);
  if (!path) snprintf(reason, 256, "%s is neither in %.70s/../libexec nor in %.70s/penstock", name, own_directory(), PST_LIBDIR);
  return path;
}
