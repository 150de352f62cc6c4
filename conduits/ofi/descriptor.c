/* What the progress thread sleeps on: the completion queue's descriptor, or a part of it.
 *
 * A descriptor may stay readable though there is nothing: libfabric's provider net (1.17) notes once that something has completed, and
 * never takes that back. A thread that believed it would take half of a core from whoever computes, in time slices of milliseconds.
 * Such a descriptor is a set (epoll): after many answers at once its members are asked one by one, and those that always answer are left
 * out. What moves data is among the others; where none is left there is nothing to sleep on. */
#include <poll.h>
#include <stdio.h>
#include <time.h>

#include "conduits/ofi/ofi.h"
#include "gasnet_tools.h"

enum { MEMBERS = 8, MANY = 16, AT_ONCE_NS = 5000, NAP_NS = 200000 /* each takes some 20 us of a core */ };

static struct {
  struct pollfd member[MEMBERS];
  unsigned answers[MEMBERS]; /* at once, one after the other */
  unsigned count;            /* 0: naps instead */
  int taken_apart;
} set;

static void add(int fd)
{
  if (set.count == MEMBERS) return;
  set.member[set.count] = (struct pollfd){ .fd = fd, .events = POLLIN };
  set.answers[set.count++] = 0;
}

/* The kernel lists a set's members in lines like "tfd: 12 events: 19 ...". */
static void take_apart(int fd)
{
  char name[64], line[256];
  int member;
  snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd);
  FILE *f = fopen(name, "re");
  set.taken_apart = 1;
  set.count = 0;
  if (!f) return;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "tfd: %d", &member) == 1) add(member);
  fclose(f);
}

static void leave_out(unsigned i)
{
  set.count--;
  for (; i < set.count; i++) {
    set.member[i] = set.member[i + 1];
    set.answers[i] = set.answers[i + 1];
  }
}

static void count_answers(int at_once)
{
  for (unsigned i = set.count; i-- > 0;) {
    set.answers[i] = at_once && set.member[i].revents ? set.answers[i] + 1 : 0;
    if (set.answers[i] <= MANY) continue;
    if (set.taken_apart) leave_out(i);
    else take_apart(set.member[i].fd);
  }
}

void pst_ofi_descriptor_open(void)
{
  int fd;
  set.count = 0;
  set.taken_apart = 0;
  if (fi_control(&pst_ofi.cq->fid, FI_GETWAIT, &fd) == 0) add(fd);
}

void pst_ofi_descriptor_wait(int milliseconds)
{
  static const struct timespec nap = { 0, NAP_NS };
  struct fid *cq = &pst_ofi.cq->fid;
  if (set.count == 0 || fi_trywait(pst_ofi.fabric, &cq, 1) != FI_SUCCESS) {
    nanosleep(&nap, NULL);
    return;
  }
  const gasnett_tick_t begin = gasnett_ticks_now();
  if (poll(set.member, set.count, milliseconds) < 0) return;
  count_answers(gasnett_ticks_to_ns(gasnett_ticks_now() - begin) < AT_ONCE_NS);
}
