/* Memory that the job shares beside the segments: every shared writable mapping of this process in which no node's
 * segment begins, whole (not only the pages in use), divided by the processes. */
#include "smp.h"

#include <gasnet.h>

static int holds_segment(uintptr_t from, uintptr_t to)
{
  for (unsigned i = 0; i < smp.nodes; i++) {
    const uintptr_t a = (uintptr_t)smp.here[i];
    if (a >= from && a < to) return 1;
  }
  return 0;
}

void smp_measure_memory(void)
{
  char line[512], perms[8];
  unsigned long from, to;
  double bytes = 0;
  FILE *f = fopen("/proc/self/smaps", "r");
  if (!f || !bench_selected("memory_64", smp.rows)) return;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "%lx-%lx %7s", &from, &to, perms) == 3 && strchr(perms, 's') && strchr(perms, 'w') &&
        !holds_segment(from, to))
      bytes += (double)(to - from);
  fclose(f);
  smp_emit("memory_64", 0, bytes / smp.nodes, 0);
}
