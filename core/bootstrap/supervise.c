/* One loop: sleep until a signal or output, look at who died or left, decide how the job goes on.
 * All signals that matter are blocked and read from a signalfd, so nothing here runs in a handler. */
#include "core/bootstrap/supervise.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAILURE_GRACE 0.3   /* seconds that the others have to leave by themselves after a failure */
#define HANDLER_GRACE 2.0   /* after a signal, where exit_timeout sets no limit */
#define TERM_GRACE 1.0      /* from SIGTERM to SIGKILL */
#define ANNOUNCE_POLL 0.1   /* announcements raise no signal: looked for often once somebody has left */
#define HEARING 0.5         /* and seldom before: a node may announce its end and then hang */
#define OUTPUT_SLICE 0.05   /* output is served that long before signals are looked at again */
#define FOREVER HUGE_VAL

enum phase { RUNNING, GRACE, TERMINATED, KILLED };

struct child {
  pid_t pid;       /* 0: gone */
  unsigned told;   /* its `leaving` has been taken into account */
};

struct run {
  struct pst_supervise *s;
  enum phase phase;
  double deadline;  /* when the next phase begins */
  int straight;     /* a signal asked for the end: the children have it, SIGKILL is next */
  unsigned asked;   /* how many such signals */
  int code;
  int said;         /* the line about a death by signal */
  int someone_left; /* a child has ended or announced that it will */
  unsigned alive;
  unsigned next_watch;
  struct child child[PST_MAX_LOCAL];
  struct pollfd poll[2 * PST_MAX_LOCAL + 1]; /* [0] is the signalfd */
};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int passed_signals[] = {SIGUSR1, SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static sigset_t handled;             /* blocked by prepare, read by run */
static struct sigaction client_chld; /* what the children get back */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A signal that whoever started us has switched off (nohup, a shell's background job) stays off:
 * once blocked it would be delivered to the signalfd all the same. */
static void handle_unless_ignored(int sig)
{
  struct sigaction sa;
  if (sigaction(sig, NULL, &sa) == 0 && sa.sa_handler != SIG_IGN) sigaddset(&handled, sig);
}

void pst_supervise_prepare(sigset_t *old)
{
  struct sigaction plain = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP};
  sigaction(SIGCHLD, &plain, &client_chld); /* an inherited SIG_IGN would let children vanish unseen */
  sigemptyset(&handled);
  sigaddset(&handled, SIGCHLD);
  for (unsigned i = 0; i < COUNT(ending_signals); i++) handle_unless_ignored(ending_signals[i]);
  for (unsigned i = 0; i < COUNT(passed_signals); i++) handle_unless_ignored(passed_signals[i]);
  sigprocmask(SIG_BLOCK, &handled, old);
}

void pst_supervise_child(pid_t parent, const sigset_t *old)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* it died before the prctl could see it */
  sigaction(SIGCHLD, &client_chld, NULL);
  sigprocmask(SIG_SETMASK, old, NULL);
}

static int threads_of(pid_t pid)
{
  char name[64], text[1024];
  snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
  FILE *f = fopen(name, "re");
  if (!f) return 0;
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[n] = '\0';
  const char *at = strrchr(text, ')'); /* the name before it may contain anything */
  int threads;
  return at && sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d", &threads) == 1 ? threads : 0;
}

void pst_supervise_adopted(void)
{
  pid_t parent = getppid();
  if (threads_of(parent) != 1) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

static const char *host(void)
{
  static char name[256];
  if (!name[0] && gethostname(name, sizeof name - 1) != 0) strcpy(name, "unknown host");
  return name;
}

static void signal_children(struct run *r, int sig)
{
  for (unsigned i = 0; i < r->s->nodes; i++)
    if (r->child[i].pid > 0) kill(r->child[i].pid, sig);
}

/* Deadlines only ever come nearer. */
static void end_within(struct run *r, double seconds)
{
  double at = now() + seconds;
  if (r->phase > GRACE) return;
  if (r->phase == RUNNING || at < r->deadline) r->deadline = at;
  r->phase = GRACE;
}

/* A shell script around a node may have work to do after it: once the node itself has left with 0 and is
 * gone, nobody waits for that script and it is not hurried. */
static int in_the_way(const struct run *r, unsigned i)
{
  const struct pst_jobnode *node = &r->s->state->node[i];
  pid_t self = atomic_load(&node->pid);
  if (r->child[i].pid <= 0) return 0;
  return self <= 0 || self == r->child[i].pid || (atomic_load(&node->leaving) & ~PST_LEAVING_TOLD) != PST_LEAVING ||
         kill(self, 0) == 0 || errno != ESRCH;
}

static int only_wrappers_remain(const struct run *r)
{
  for (unsigned i = 0; i < r->s->nodes; i++)
    if (in_the_way(r, i)) return 0;
  return 1;
}

static void advance(struct run *r)
{
  if (r->phase == RUNNING || r->phase == KILLED || now() < r->deadline) return;
  if (r->phase == GRACE && !r->straight && r->code == 0 && only_wrappers_remain(r)) return;
  int last = r->phase == TERMINATED || r->straight;
  atomic_store(&r->s->state->ending, 1);
  if (r->s->verbose) dprintf(STDERR_FILENO, "penstock: %s to %u processes\n", last ? "SIGKILL" : "SIGTERM", r->alive);
  signal_children(r, last ? SIGKILL : SIGTERM);
  r->phase = last ? KILLED : TERMINATED;
  r->deadline = last ? FOREVER : now() + TERM_GRACE;
}

static int any_joined(const struct run *r)
{
  for (unsigned i = 0; i < r->s->nodes; i++)
    if (atomic_load(&r->s->state->node[i].pid)) return 1;
  return 0;
}

/* A node left, by its own announcement or by its exit status. The first non-zero code is the job's. */
static void left(struct run *r, int code)
{
  r->someone_left = 1;
  if (code == 0) {
    if (any_joined(r)) end_within(r, r->s->exit_timeout);
    return;
  }
  if (r->phase > GRACE) return; /* it answers our SIGTERM */
  if (r->code == 0) r->code = code;
  atomic_store(&r->s->state->ending, 1);
  end_within(r, FAILURE_GRACE);
}

static void hear(struct run *r, unsigned i)
{
  unsigned leaving = atomic_load(&r->s->state->node[i].leaving);
  if (!(leaving & PST_LEAVING) || r->child[i].told) return;
  r->child[i].told = 1;
  if (r->s->verbose) dprintf(STDERR_FILENO, "penstock: node %u leaves with code %u\n", i, leaving & 255);
  left(r, (int)(leaving & 255));
}

static void explain(struct run *r, unsigned i, pid_t pid, int sig)
{
  if (r->said || atomic_load(&r->s->state->node[i].leaving) & PST_LEAVING_TOLD) return;
  r->said = 1;
  dprintf(STDERR_FILENO, "penstock: node %u of %u (pid %ld on %s) was killed by signal %d (%s); ending the job\n", i,
          r->s->nodes, (long)pid, host(), sig, strsignal(sig));
}

/* Deaths by our own signals, or by the one that is ending the whole job, are no news. */
static void killed(struct run *r, unsigned i, pid_t pid, int sig)
{
  r->someone_left = 1;
  if (r->phase > GRACE || r->straight) return;
  explain(r, i, pid, sig);
  if (r->code == 0) r->code = 128 + sig;
  atomic_store(&r->s->state->ending, 1);
  end_within(r, 0);
}

static void bury(struct run *r, unsigned i, int status)
{
  pid_t pid = r->child[i].pid;
  r->child[i].pid = 0;
  r->alive--;
  if (r->s->verbose)
    dprintf(STDERR_FILENO, "penstock: node %u (pid %ld) ended, %s %d\n", i, (long)pid,
            WIFSIGNALED(status) ? "signal" : "code", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  hear(r, i);
  if (WIFSIGNALED(status))
    killed(r, i, pid, WTERMSIG(status));
  else
    left(r, WEXITSTATUS(status));
}

/* Also takes children that are not nodes: helpers from before the job, orphans where we are process 1. */
static void reap(struct run *r)
{
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
    for (unsigned i = 0; i < r->s->nodes; i++)
      if (r->child[i].pid == pid) bury(r, i, status);
}

static int one_of(int sig, const int *list, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (list[i] == sig) return 1;
  return 0;
}

/* Stops this process the way the terminal would, so that the shell sees the whole job stopped. */
static void stop_here(void)
{
  struct sigaction plain = {.sa_handler = SIG_DFL}, old;
  sigset_t tstp;
  sigemptyset(&tstp);
  sigaddset(&tstp, SIGTSTP);
  sigaction(SIGTSTP, &plain, &old);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &tstp, NULL); /* stops here */
  sigprocmask(SIG_BLOCK, &tstp, NULL);
  sigaction(SIGTSTP, &old, NULL);
}

static void told_to_end(struct run *r, int sig)
{
  r->asked++;
  if (r->phase > GRACE) return;
  if (r->code == 0) r->code = 128 + sig;
  r->straight = 1;
  end_within(r, r->s->exit_timeout < FOREVER ? r->s->exit_timeout : HANDLER_GRACE);
}

/* What the terminal's kernel side sends goes to the whole process group: the children have it. */
static void pass(struct run *r, const struct signalfd_siginfo *si)
{
  int sig = (int)si->ssi_signo;
  if (si->ssi_code != SI_KERNEL) signal_children(r, sig);
  if (one_of(sig, ending_signals, COUNT(ending_signals))) told_to_end(r, sig);
  if (sig == SIGTSTP) stop_here();
}

static void take_signals(struct run *r)
{
  struct signalfd_siginfo si[16];
  ssize_t n;
  /* the kernel hands out low numbers first: a terminal's SIGINT before the SIGCHLDs that it caused */
  while ((n = read(r->poll[0].fd, si, sizeof si)) > 0)
    for (size_t i = 0; i < (size_t)n / sizeof *si; i++)
      if (si[i].ssi_signo != SIGCHLD) pass(r, &si[i]);
}

/* Round robin, and only for a while: a reader of our output who is slow must not keep us from our children. */
static void serve_output(struct run *r)
{
  unsigned n = r->s->watches;
  double until = now() + OUTPUT_SLICE;
  for (unsigned k = 0; k < n; k++) {
    unsigned i = (r->next_watch + k) % n;
    struct pst_watch *w = &r->s->watch[i];
    if (!r->poll[1 + i].revents) continue;
    if (!w->readable(w->fd, w->arg)) r->poll[1 + i].fd = w->fd = -1;
    if (now() < until) continue;
    r->next_watch = i + 1;
    return;
  }
}

static int readable_output(const struct run *r)
{
  for (unsigned i = 0; i < r->s->watches; i++)
    if (r->poll[1 + i].revents) return 1;
  return 0;
}

static void wait_for_events(struct run *r, double seconds)
{
  struct timespec t = {0, 0};
  if (seconds > 0 && seconds < FOREVER) {
    t.tv_sec = (time_t)seconds;
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
  }
  int n = ppoll(r->poll, 1 + r->s->watches, seconds < FOREVER ? &t : NULL, NULL);
  if (n <= 0)
    for (unsigned i = 0; i <= r->s->watches; i++) r->poll[i].revents = 0;
}

static double patience(const struct run *r)
{
  if (r->phase == RUNNING && !r->someone_left) return HEARING;
  double left_s = r->phase == RUNNING ? FOREVER : r->deadline - now();
  return left_s < ANNOUNCE_POLL ? (left_s > 0 ? left_s : 0) : ANNOUNCE_POLL;
}

static void look_around(struct run *r)
{
  if (r->poll[0].revents) take_signals(r);
  reap(r);
  for (unsigned i = 0; i < r->s->nodes; i++)
    if (r->child[i].pid > 0) hear(r, i);
  /* a program that joined after another had left with 0 makes that departure count */
  if (r->phase == RUNNING && r->someone_left && any_joined(r)) left(r, 0);
  advance(r);
}

/* The dead have written everything; what a surviving grandchild may still write is not waited for. */
static void drain_output(struct run *r)
{
  unsigned asked = r->asked;
  while (r->s->watches && r->asked == asked) {
    wait_for_events(r, 0);
    if (r->poll[0].revents) take_signals(r);
    if (!readable_output(r)) return;
    serve_output(r);
  }
}

static void begin(struct run *r, struct pst_supervise *s)
{
  r->s = s;
  for (unsigned i = 0; i < s->nodes; i++)
    if (s->pid[i] > 0) {
      r->child[i].pid = s->pid[i];
      r->alive++;
    }
  for (unsigned i = 0; i < s->watches; i++) r->poll[1 + i] = (struct pollfd){.fd = s->watch[i].fd, .events = POLLIN};
  r->poll[0] = (struct pollfd){.fd = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK), .events = POLLIN};
}

static int cannot_watch(struct run *r)
{
  dprintf(STDERR_FILENO, "penstock: cannot watch the processes of the job: %s; ending it\n", strerror(errno));
  signal_children(r, SIGKILL);
  for (unsigned i = 0; i < r->s->nodes; i++)
    if (r->child[i].pid > 0) waitpid(r->child[i].pid, NULL, 0);
  return 1;
}

int pst_supervise_run(struct pst_supervise *s)
{
  static struct run r; /* too large for a small stack */
  memset(&r, 0, sizeof r);
  begin(&r, s);
  if (r.poll[0].fd < 0) return cannot_watch(&r);
  look_around(&r); /* who died before the signalfd was there */
  while (r.alive) {
    wait_for_events(&r, patience(&r));
    look_around(&r);
    serve_output(&r);
  }
  drain_output(&r);
  close(r.poll[0].fd);
  return r.code;
}
