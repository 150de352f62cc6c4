/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The last node ends before any other has talked to it, and the first message to it comes afterwards:
 * first_contact KIND
 *   KIND   kill (SIGKILL), exit (exit(3)), gasnet_exit (gasnet_exit(7))
 * The last node stops the parent of all nodes before it ends, so that nobody ends node 0 too early. Node 0
 * continues the parent when its message has been under way for a while. The job ends as the last node did. */
#include <gasnet.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { H_NOTHING = 200 };

static void nothing(gasnet_token_t token) { (void)token; }

static void require(int condition, const char *what)
{
  if (condition) return;
  fprintf(stderr, "FAIL first_contact: %s: %s\n", what, strerror(errno));
  gasnet_exit(1);
}

static char state_of(pid_t process)
{
  char path[64], state = 0;
  FILE *f;
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  f = fopen(path, "r");
  require(f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1, path);
  fclose(f);
  return state;
}

static void end(const char *kind)
{
  const struct timespec step = {.tv_nsec = 1000000};
  require(kill(getppid(), SIGSTOP) == 0, "kill");
  while (state_of(getppid()) != 'T') nanosleep(&step, NULL);
  if (strcmp(kind, "kill") == 0) raise(SIGKILL);
  if (strcmp(kind, "exit") == 0) exit(3);
  gasnet_exit(7);
}

static void continue_parent(int sig)
{
  (void)sig;
  kill(getppid(), SIGCONT);
}

/* The timer counts this process's computing: when it ends, the message has begun. */
static void talk_to(gasnet_node_t node)
{
  const struct itimerval in = {.it_value = {.tv_usec = 50000}};
  signal(SIGVTALRM, continue_parent);
  require(setitimer(ITIMER_VIRTUAL, &in, NULL) == 0, "setitimer");
  gasnet_AMRequestShort0(node, H_NOTHING);
  for (;;) gasnet_AMPoll();
}

/* The kernel frees the lock when the process that holds it ends. */
int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_NOTHING, (void (*)())nothing}};
  gasnet_node_t last;
  int program;
  if (gasnet_init(&argc, &argv) != GASNET_OK || argc < 2) return 1;
  last = gasnet_nodes() - 1;
  program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  require(program >= 0, "/proc/self/exe");
  if (gasnet_mynode() == last) require(flock(program, LOCK_EX) == 0, "flock");
  require(gasnet_attach(table, 1, GASNET_PAGESIZE, 0) == GASNET_OK, "gasnet_attach");
  if (gasnet_mynode() == last) end(argv[1]);
  if (gasnet_mynode() == 0) {
    require(flock(program, LOCK_EX) == 0, "flock");
    talk_to(last);
  }
  for (;;) pause();
}
