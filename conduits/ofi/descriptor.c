/* What the progress thread sleeps on: the completion queue's descriptor, or a part of it.
 *
 * A descriptor may stay readable though there is nothing: libfabric's provider net (1.17) notes once that something has completed, and
 * never takes that back. A thread that believed it would take half of a core from whoever computes, in time slices of milliseconds.
 * Such a descriptor is a set (epoll): after many answers at once its members are asked one by one, and the one that always answers is left
 * out. Nobody says that the others are all that there will be, so they are slept on for a millisecond at most. Where answers at once do
 * not end with that, it is data that comes without end, or another lie: then there is a nap between two. */
#include <poll.h>
#include <stdio.h>

#include "conduits/ofi/ofi.h"
#include "gasnet_tools.h"

enum {
  MEMBERS = 8,
  MANY = 16, ENDLESS = 1000,
  AT_ONCE_NS = 5000,
  MEMBERS_MS = 1
};

static struct {
  struct pollfd member[MEMBERS];
  unsigned answers[MEMBERS]; /* at once, one after the other */
  unsigned count;            /* 0: naps instead */
  unsigned streak;           /* of answers at once, whoever's */
  int taken_apart, left_out;
} set;

static void add(int fd)
{
  set.member[set.count] = (struct pollfd){ .fd = fd, .events = POLLIN };
  set.answers[set.count++] = 0;
}

/* The kernel lists a set's members in lines like "tfd: 12 events: 19 ...". */
static void take_apart(int fd)
{
  char name[64], line[256];
  int member, too_many = 0;
  snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd);
  FILE *f = fopen(name, "re");
  set.taken_apart = 1;
  set.count = 0;
  if (!f) return;
  while (fgets(line, sizeof line, f))
    if (sscanf(line, "tfd: %d", &member) == 1) {
      if (set.count < MEMBERS) add(member);
      else too_many = 1;
    }
  fclose(f);
  if (too_many) set.count = 0;
  else if (set.count == 0) add(fd); /* no set: data that comes all the time */
}

static void leave_out(unsigned i)
{
  set.left_out = 1;
  set.count--;
  for (; i < set.count; i++) {
    set.member[i] = set.member[i + 1];
    set.answers[i] = set.answers[i + 1];
  }
}

/* Two that answer may both be right: one of them will stop. */
static void count_answers(int at_once)
{
  unsigned always = 0, liars = 0;
  set.streak = at_once ? set.streak + 1 : 0;
  for (unsigned i = 0; i < set.count; i++) {
    set.answers[i] = at_once && set.member[i].revents ? set.answers[i] + 1 : 0;
    if (set.answers[i] <= MANY) continue;
    always = i;
    liars++;
  }
  if (liars != 1) return;
  if (!set.taken_apart) take_apart(set.member[always].fd);
  else if (!set.left_out && set.count > 1) leave_out(always);
}

void pst_ofi_descriptor_open(void)
{
  int fd;
  set.count = 0;
  set.streak = 0;
  set.taken_apart = set.left_out = 0;
  if (fi_control(&pst_ofi.cq->fid, FI_GETWAIT, &fd) == 0) add(fd);
}

void pst_ofi_descriptor_wait(int milliseconds)
{
  struct fid *cq = &pst_ofi.cq->fid;
  if (set.count == 0) {
    pst_net_nap(PST_OFI_NAP);
  } else if (fi_trywait(pst_ofi.fabric, &cq, 1) != FI_SUCCESS) {
    pst_net_nap(PST_OFI_SHORT_NAP); /* something is there, which another thread may be about to take */
  } else {
    const gasnett_tick_t begin = gasnett_ticks_now();
    if (poll(set.member, set.count, set.taken_apart ? MEMBERS_MS : milliseconds) < 0) return;
    count_answers(gasnett_ticks_to_ns(gasnett_ticks_now() - begin) < AT_ONCE_NS);
    if (set.streak > ENDLESS) pst_net_nap(PST_OFI_SHORT_NAP);
  }
}
