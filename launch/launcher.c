/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/launcher.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bootstrap/ending.h"
#include "bootstrap/exchange.h"
#include "bootstrap/jobsignals.h"
#include "launch/dial.h"
#include "launch/environment.h"
#include "launch/handshake.h"
#include "launch/input.h"
#include "launch/link.h"
#include "launch/listener.h"
#include "launch/order.h"
#include "launch/output.h"
#include "launch/remote.h"

#define FAREWELL 2.0 /* seconds for remote shells to end after the daemons have */
#define ANSWER   1.0 /* for a daemon to say what its processes are doing */
#define STUBBORN 3.0 /* after SIGKILL: a host that has not told of the end by then is given up */

/* A host of the job. */
struct member {
  struct launcher *launcher;
  const struct host *host;
  unsigned index;
  struct remote remote;
  struct link link;
  struct order_daemon order;
  int connected;
  int over;                                     /* it said goodbye, or was lost */
  int joined, only_wrappers, cleaning, reports; /* as its last STATE said */
  int asked;                                    /* a STATE is on its way */
  uint32_t untaken;                             /* bytes of its output that are not written yet */
  uint16_t *leaving;                            /* [local] as each node announced it */
};

struct launcher {
  const struct options *o;
  struct remote_shell shell;
  struct pst_loop loop;
  struct secret secret;
  struct listener listener;
  struct handshakes handshakes;
  struct member *member;
  unsigned members, nodes;
  double deadline; /* of the start; later of the end */
  double patience; /* how long answers to ASK are waited for; 0: there is no question */
  int asked;       /* the daemons have their orders */
  int failed;      /* the code with which the start failed, or the signal that ended it */
  struct pst_ending ending;
  struct output *output;
  struct pst_loop_fd sink[2];
  struct input input;
  struct {       /* the processes' present collective */
    char *blobs; /* [nodes * size] */
    uint32_t size;
    unsigned begun, complete; /* hosts */
  } collective;
};

extern char **environ;

static struct member *member_of(struct link *l)
{
  return (struct member *)(void *)((char *)l - offsetof(struct member, link));
}

/* ---- to the daemons ---- */

static void send_to_all(struct launcher *l, enum wire_type type, const uint32_t *word)
{
  for (unsigned i = 0; i < l->members; i++)
    if (!l->member[i].over) link_send(&l->member[i].link, type, word, NULL, 0);
}

static void signal_all(void *arg, int sig)
{
  const uint32_t word[] = {(uint32_t)sig};
  struct launcher *l = arg;
  send_to_all(l, WIRE_SIGNAL, word);
  if (sig == SIGKILL) l->deadline = pst_loop_now() + STUBBORN;
}

static void announce_ending(void *arg) { send_to_all(arg, WIRE_ENDING, NULL); }

static int any_joined(void *arg)
{
  const struct launcher *l = arg;
  for (unsigned i = 0; i < l->members; i++)
    if (l->member[i].joined) return 1;
  return 0;
}

static int any_cleaning(void *arg)
{
  const struct launcher *l = arg;
  for (unsigned i = 0; i < l->members; i++)
    if (!l->member[i].over && l->member[i].cleaning) return 1;
  return 0;
}

/* What the hosts have said before is too old to end processes by. */
static int ask_all_again(struct launcher *l)
{
  for (unsigned i = 0; i < l->members; i++) l->member[i].asked = !l->member[i].over;
  l->patience = pst_loop_now() + ANSWER;
  send_to_all(l, WIRE_ASK, NULL);
  return 1;
}

/* Until the answers have come no process is hurried. */
static int only_wrappers_run(void *arg)
{
  struct launcher *l = arg;
  int only = 1;
  if (!l->patience) return ask_all_again(l);
  for (unsigned i = 0; i < l->members; i++) {
    if (l->member[i].asked && pst_loop_now() < l->patience) return 1;
    if (!l->member[i].over && (l->member[i].asked || !l->member[i].only_wrappers)) only = 0;
  }
  l->patience = 0;
  return only;
}

static const struct member *host_of(const struct launcher *l, unsigned node)
{
  const struct member *m = l->member;
  while (node >= m->host->first + m->host->local) m++;
  return m;
}

/* When the host of a node has said so all nodes have attached: see pst_loss_begin. */
static int host_reports(void *arg, unsigned node) { return host_of(arg, node)->reports; }

/* Its own host learns of it by the same way as the others. */
static void tell_loss(void *arg, unsigned node) { send_to_all(arg, WIRE_LOST, &(uint32_t){node}); }

static const struct pst_ending_ops ops = {
    signal_all, announce_ending, any_joined, any_cleaning, only_wrappers_run, host_reports, tell_loss};

/* ---- the job's description ---- */

static void send_text(struct member *m, enum wire_type type, const char *text)
{
  const size_t n = strlen(text);
  if (n > WIRE_STRING) fail(1, "an argument or a variable of %zu bytes is too long for other hosts", n);
  link_send(&m->link, type, NULL, text, n);
}

static void send_directory(struct member *m)
{
  char *here = get_current_dir_name();
  if (!here) fail(1, "cannot tell the hosts this directory: %s", strerror(errno));
  send_text(m, WIRE_DIRECTORY, here);
  free(here);
}

static void send_job(struct member *m)
{
  const struct launcher *l = m->launcher;
  const uint32_t word[] = {m->host->first, m->host->local, l->nodes, m->index, l->members};
  link_send(&m->link, WIRE_JOB, word, NULL, 0);
  send_directory(m);
  for (char **a = l->o->program; *a; a++) send_text(m, WIRE_ARGUMENT, *a);
  for (char **v = environ; *v; v++)
    if (environment_travels(*v, l->o->export, l->o->set)) send_text(m, WIRE_VARIABLE, *v);
  link_send(&m->link, WIRE_START, NULL, NULL, 0);
  m->order.asked = 1;
}

/* ---- output ---- */

/* What has been written makes room for more. */
static void allow_output(struct launcher *l)
{
  for (unsigned i = 0; i < l->members; i++) {
    struct member *m = &l->member[i];
    const uint32_t word[] = {m->untaken};
    if (!m->untaken) continue;
    m->order.output_room += m->untaken;
    m->untaken = 0;
    link_send(&m->link, WIRE_OUTPUT_TAKEN, word, NULL, 0);
  }
}

static void flush_output(struct launcher *l)
{
  const int done[2] = {output_flush(l->output, 0, 0), output_flush(l->output, 1, 0)};
  for (unsigned k = 0; k < 2; k++) l->sink[k].events = done[k] ? 0 : POLLOUT;
  if (done[0] && done[1]) allow_output(l);
}

static int output_writable(int fd, void *arg)
{
  (void)fd;
  flush_output(arg);
  return 1;
}

static void take_output(struct member *m, const struct wire_frame *f)
{
  struct launcher *l = m->launcher;
  output_take(l->output, m->host->first + f->word[0], f->word[1], f->data, f->size);
  m->untaken += (uint32_t)f->size;
  flush_output(l);
}

static void open_output(struct launcher *l)
{
  l->output = output_open(l->nodes, l->o->tag_output);
  for (unsigned k = 0; k < 2; k++) {
    l->sink[k] = (struct pst_loop_fd){k ? STDERR_FILENO : STDOUT_FILENO, output_writable, l, 0};
    if (pst_loop_watch(&l->loop, &l->sink[k]) != 0) fail(1, "out of memory");
  }
}

/* ---- input ---- */

static void send_input(void *arg, const char *data, size_t n)
{
  struct member *m = &((struct launcher *)arg)->member[0];
  m->order.input_sent += (uint32_t)n;
  link_send(&m->link, WIRE_INPUT, NULL, data, n);
}

/* ---- the processes' collectives ---- */

static void answer_collective(struct launcher *l)
{
  const uint32_t size = l->collective.size;
  const size_t total = (size_t)l->nodes * size;
  for (unsigned i = 0; i < l->members; i++) {
    struct member *m = &l->member[i];
    link_send_pieces(&m->link, WIRE_SCATTER, ++m->order.scattered, size, l->collective.blobs, total);
  }
  l->collective.begun = l->collective.complete = 0;
}

static const char *begin_collective(struct launcher *l, uint32_t size)
{
  if (l->collective.begun++)
    return l->collective.size == size ? NULL : "another size of exchange than other hosts have";
  char *grown = realloc(l->collective.blobs, (size_t)l->nodes * size + 1);
  if (!grown) fail(1, "out of memory for the exchange of %u processes", l->nodes);
  l->collective.blobs = grown;
  l->collective.size = size;
  return NULL;
}

/* order_from_daemon has checked the piece and counted it. */
static const char *gather_take(struct member *m, const struct wire_frame *f)
{
  struct launcher *l = m->launcher;
  const struct order_collective *c = &m->order.gather;
  const char *why = c->have == f->size ? begin_collective(l, c->size) : NULL;
  if (why) return why;
  memcpy(l->collective.blobs + (size_t)m->host->first * c->size + (c->have - f->size), f->data, f->size);
  if (c->have < (size_t)m->host->local * c->size) return NULL;
  if (++l->collective.complete == l->members) answer_collective(l);
  return NULL;
}

/* ---- from the daemons ---- */

static void member_started(struct member *m, const struct wire_frame *f)
{
  struct launcher *l = m->launcher;
  if (l->o->verbose)
    dprintf(STDERR_FILENO, "penstock: node %u of %u is process %u on %s: %s\n", m->host->first + f->word[0],
        l->nodes, f->word[1], m->host->name, l->o->program[0]);
}

static void member_ended(struct member *m, const struct wire_frame *f)
{
  pst_ending_ended(&m->launcher->ending, m->host->first + f->word[0], (pid_t)f->word[1], m->host->name,
      (int)f->word[2], f->word[3] | m->leaving[f->word[0]]);
}

static void member_leaves(struct member *m, const struct wire_frame *f)
{
  m->leaving[f->word[0]] = (uint16_t)f->word[1];
  pst_ending_leaves(&m->launcher->ending, m->host->first + f->word[0], f->word[1]);
}

static void member_over(struct member *m)
{
  struct launcher *l = m->launcher;
  for (unsigned i = 0; i < m->host->local; i++) {
    output_end(l->output, m->host->first + i, 0);
    output_end(l->output, m->host->first + i, 1);
  }
  flush_output(l);
  m->over = 1;
  link_close(&m->link);
}

/* The processes of a host that we cannot speak to any more count as ended: its daemon ends them, or they are
 * gone. */
static void give_up_host(struct member *m, int code)
{
  struct launcher *l = m->launcher;
  l->ending.alive -= m->host->local - m->order.ended;
  member_over(m);
  if (!l->failed && m->order.started < m->host->local) l->failed = code;
  pst_ending_failed(&l->ending, code);
}

static void member_failed(struct member *m, const struct wire_frame *f)
{
  dprintf(STDERR_FILENO, "gasnetrun: %s: %.*s\n", m->host->name, (int)f->size, f->data);
  give_up_host(m, (int)f->word[0]);
}

static void member_signalled(struct member *m, int sig)
{
  struct launcher *l = m->launcher;
  dprintf(STDERR_FILENO, "penstock: gasnetrun on %s was told to end by signal %d (%s); ending the job\n",
      m->host->name, sig, strsignal(sig));
  if (!l->asked) l->failed = 128 + sig;
  pst_ending_failed(&l->ending, 128 + sig);
}

static const char *member_frame(struct link *link, const struct wire_frame *f)
{
  struct member *m = member_of(link);
  const char *why = order_from_daemon(&m->order, f);
  if (why) return why;
  switch (f->type) {
  case WIRE_STARTED: member_started(m, f); break;
  case WIRE_FAILED: member_failed(m, f); break;
  case WIRE_OUTPUT: take_output(m, f); break;
  case WIRE_INPUT_TAKEN: input_taken(&m->launcher->input, f->word[0]); break;
  case WIRE_INPUT_CLOSED: input_stop(&m->launcher->input); break;
  case WIRE_STATE:
    m->joined = (int)f->word[0];
    m->only_wrappers = (int)f->word[1];
    m->cleaning = (int)f->word[2];
    m->reports = (int)f->word[3];
    m->asked = 0;
    break;
  case WIRE_LEAVES: member_leaves(m, f); break;
  case WIRE_ENDED: member_ended(m, f); break;
  case WIRE_GATHER: return gather_take(m, f);
  case WIRE_SIGNALLED: member_signalled(m, (int)f->word[0]); break;
  case WIRE_BYE: member_over(m); break;
  default: break;
  }
  return NULL;
}

static void member_lost(struct link *link, const char *why)
{
  struct member *m = member_of(link);
  const unsigned first = m->host->first, last = first + m->host->local - 1;
  if (m->over) return;
  dprintf(STDERR_FILENO, "penstock: lost host %s with nodes %u to %u of %u: %s; ending the job\n",
      m->host->name, first, last, m->launcher->nodes, why);
  give_up_host(m, 1);
}

/* ---- the start ---- */

static int member_admit(void *arg, unsigned index, int fd, const struct sockaddr_storage *from)
{
  struct launcher *l = arg;
  struct member *m = &l->member[index];
  char name[80];
  if (m->connected) return 0;
  m->link = (struct link){
      .way = WIRE_TO_LAUNCHER, .most = 2 * WIRE_PIECE, .frame = member_frame, .lost = member_lost};
  if (link_open(&m->link, &l->loop, fd) != 0) return 0;
  m->connected = 1;
  link_send(&m->link, WIRE_ADMITTED, NULL, NULL, 0);
  remote_connected(&m->remote);
  if (l->o->verbose)
    dprintf(STDERR_FILENO, "penstock: host %u (%s) has connected from %s\n", index, m->host->name,
        listener_name(from, name));
  return 1;
}

static void choose_addresses(struct launcher *l)
{
  int all = 0, here = 0;
  if (l->o->interface) {
    listener_add_named(&l->listener, l->o->interface);
    return;
  }
  for (unsigned i = 0; i < l->members; i++) {
    struct member *m = &l->member[i];
    if (m->remote.direct) here = 1;
    else all |= l->shell.chosen || !listener_add_towards(&l->listener, m->host->name);
  }
  if (all) listener_add_all(&l->listener); /* only the remote shell knows what the name means */
  if (here) listener_add_loopback(&l->listener);
}

static void open_listener(struct launcher *l)
{
  choose_addresses(l);
  if (secret_make(&l->secret) != 0) fail(1, "there are no random numbers: %s", strerror(errno));
  l->handshakes = (struct handshakes){.loop = &l->loop,
      .secret = &l->secret,
      .hosts = l->members,
      .verbose = l->o->verbose,
      .admit = member_admit,
      .arg = l};
  handshakes_open(&l->handshakes);
  listener_open(&l->listener, &l->loop, handshakes_accept, &l->handshakes);
}

static void close_listener(struct launcher *l)
{
  listener_close(&l->listener, &l->loop);
  handshakes_close(&l->handshakes);
  explicit_bzero(&l->secret, sizeof l->secret);
}

static void tell_command(const struct launcher *l, const struct member *m)
{
  char text[1024];
  if (!l->o->verbose) return;
  remote_command(&m->remote, &l->shell, text, sizeof text);
  dprintf(STDERR_FILENO, "penstock: host %u of %u is %s with nodes %u to %u of %u; command: %s\n", m->index,
      l->members, m->host->name, m->host->first, m->host->first + m->host->local - 1, l->nodes, text);
}

static void start_daemons(struct launcher *l)
{
  char places[LISTENER_TEXT], secret[SECRET_TEXT], line[LISTENER_TEXT + 256];
  listener_write(&l->listener, places);
  secret_write(&l->secret, secret);
  if (l->o->verbose)
    dprintf(STDERR_FILENO, "penstock: started by gasnetrun on %u hosts, which connect to: %s\n", l->members,
        places);
  for (unsigned i = 0; i < l->members; i++) {
    snprintf(line, sizeof line, DIAL_FORMAT, secret, i, (unsigned)l->o->timeout + 1, places);
    tell_command(l, &l->member[i]);
    remote_start(&l->member[i].remote, &l->shell, &l->loop, line);
  }
  explicit_bzero(secret, sizeof secret);
  explicit_bzero(line, sizeof line);
}

static unsigned count_connected(const struct launcher *l)
{
  unsigned n = 0;
  for (unsigned i = 0; i < l->members; i++) n += (unsigned)l->member[i].connected;
  return n;
}

static int all_started(const struct launcher *l)
{
  for (unsigned i = 0; i < l->members; i++)
    if (l->member[i].order.started < l->member[i].host->local) return 0;
  return 1;
}

static void explain_end(struct launcher *l, struct member *m)
{
  char text[1024];
  const int status = m->remote.status;
  remote_command(&m->remote, &l->shell, text, sizeof text);
  dprintf(STDERR_FILENO,
      "gasnetrun: cannot start processes on host '%s': the command ended with %s %d before it had connected: "
      "%s\n",
      m->host->name, WIFSIGNALED(status) ? "signal" : "code",
      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), text);
  remote_repeat(&m->remote);
  l->failed = 1;
}

static void explain_delay(struct launcher *l)
{
  char text[1024];
  for (unsigned i = 0; i < l->members; i++) {
    struct member *m = &l->member[i];
    if (m->order.started == m->host->local) continue;
    remote_command(&m->remote, &l->shell, text, sizeof text);
    dprintf(STDERR_FILENO, "gasnetrun: host '%s' has not %s within %g s (--timeout): %s\n", m->host->name,
        m->connected ? "started its processes" : "connected", l->o->timeout, text);
    if (!m->connected) remote_repeat(&m->remote);
  }
  l->failed = 1;
}

static void reap_commands(struct launcher *l)
{
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
    for (unsigned i = 0; i < l->members; i++) {
      struct member *m = &l->member[i];
      if (m->remote.pid != pid) continue;
      m->remote.pid = 0;
      m->remote.status = status;
    }
}

/* The host whose command has ended before it has connected, as far as is known. */
static struct member *member_ended_early(struct launcher *l)
{
  for (unsigned i = 0; i < l->members && !l->failed; i++)
    if (!l->member[i].connected && !l->member[i].remote.pid) return &l->member[i];
  return NULL;
}

/* ---- signals ---- */

/* The remote shells are in sessions of their own: a terminal has sent nothing to them. */
static void pass_signal_on(void *arg, int sig, int from_terminal)
{
  const uint32_t word[] = {(uint32_t)sig};
  struct launcher *l = arg;
  (void)from_terminal;
  if (l->asked) send_to_all(l, WIRE_SIGNAL, word);
  if (pst_jobsignals_ends(sig)) {
    if (!l->asked && !l->failed) l->failed = 128 + sig;
    pst_ending_asked(&l->ending, sig);
  }
  if (sig == SIGTSTP) pst_jobsignals_stop();
}

static void look_at_all(struct launcher *l)
{
  if (l->loop.signalled) pst_jobsignals_read(pst_loop_signals(&l->loop), pass_signal_on, l);
  reap_commands(l);
  handshakes_expire(&l->handshakes);
  input_look(&l->input);
}

/* The end of a command is reported after all that came before it has been read: its daemon's proof may be
 * among that. */
static void wait_and_serve(struct launcher *l, double patience)
{
  struct member *early = member_ended_early(l);
  pst_loop_wait(&l->loop, early ? 0 : patience);
  look_at_all(l);
  pst_loop_serve(&l->loop);
  if (early && early == member_ended_early(l) && !pst_loop_ready(&l->loop)) explain_end(l, early);
}

/* ---- phases ---- */

static void ask_all(struct launcher *l)
{
  close_listener(l);
  l->asked = 1;
  l->input.came = send_input;
  l->input.arg = l;
  for (unsigned i = 0; i < l->members; i++) send_job(&l->member[i]);
  input_open(&l->input, &l->loop, WIRE_WINDOW);
}

/* Returns whether all processes run. */
static int start_processes(struct launcher *l)
{
  const double most = 0.5;
  l->deadline = pst_loop_now() + l->o->timeout;
  while (!l->failed && !all_started(l)) {
    const double left = l->deadline - pst_loop_now();
    if (left <= 0) {
      explain_delay(l);
      break;
    }
    wait_and_serve(l, left < most ? left : most);
    if (!l->failed && !l->asked && count_connected(l) == l->members) ask_all(l);
  }
  return !l->failed;
}

static unsigned count_present(const struct launcher *l)
{
  unsigned n = 0;
  for (unsigned i = 0; i < l->members; i++) n += !l->member[i].over;
  return n;
}

/* A host may have a daemon that is stopped: its connection stands, and nothing comes. */
static void give_up_stubborn(struct launcher *l)
{
  if (l->ending.phase != PST_ENDING_KILLED || !l->ending.alive || pst_loop_now() < l->deadline) return;
  for (unsigned i = 0; i < l->members; i++)
    if (!l->member[i].over) {
      link_close(&l->member[i].link);
      member_lost(&l->member[i].link, "it does not answer");
    }
}

/* With all processes gone this waits for a slow reader of the last output, until a signal comes. */
static void supervise_processes(struct launcher *l)
{
  unsigned asked = l->ending.asked;
  while (count_present(l) && (l->ending.alive || l->ending.asked == asked)) {
    if (l->ending.alive) asked = l->ending.asked;
    wait_and_serve(l, pst_ending_patience(&l->ending));
    pst_ending_advance(&l->ending);
    give_up_stubborn(l);
  }
}

/* ---- beginning and end ---- */

static void open_members(struct launcher *l)
{
  const struct hosts *h = &l->o->hosts;
  l->members = h->count;
  l->member = calloc(h->count, sizeof *l->member);
  if (!l->member) fail(1, "out of memory for %u hosts", h->count);
  for (unsigned i = 0; i < h->count; i++) {
    struct member *m = &l->member[i];
    const struct host *at = &h->host[i];
    *m = (struct member){.launcher = l, .host = at, .index = i, .link = {.watch = {.fd = -1}}};
    m->remote = (struct remote){
        .name = at->name, .direct = remote_is_here(&l->shell, at->name), .in = -1, .said = {.fd = -1}};
    m->order = (struct order_daemon){
        .local = at->local, .node = calloc(at->local, 1), .output_room = WIRE_WINDOW};
    m->leaving = calloc(at->local, sizeof *m->leaving);
    if (!m->order.node || !m->leaving) fail(1, "out of memory for %u hosts", h->count);
  }
}

static unsigned shells_left(const struct launcher *l, int connected)
{
  unsigned n = 0;
  for (unsigned i = 0; i < l->members; i++)
    n += l->member[i].remote.pid > 0 && (!connected || l->member[i].connected);
  return n;
}

/* The daemons end by themselves when their connections do, and say why. This does not wait for a remote shell
 * that hangs, nor, after a start that failed, for one whose daemon has never connected. */
static void close_members(struct launcher *l)
{
  const double until = pst_loop_now() + FAREWELL;
  const int connected = l->failed && !l->asked;
  for (unsigned i = 0; i < l->members; i++) {
    l->member[i].over = 1;
    link_close(&l->member[i].link);
  }
  while (shells_left(l, connected) && pst_loop_now() < until) wait_and_serve(l, until - pst_loop_now());
  for (unsigned i = 0; i < l->members; i++) {
    struct member *m = &l->member[i];
    remote_close(&m->remote, &l->loop);
    free(m->order.node);
    free(m->leaving);
  }
  free(l->member);
}

static void open_launcher(struct launcher *l, const struct options *o, double exit_timeout)
{
  l->o = o;
  l->nodes = o->nodes;
  l->ending = (struct pst_ending){.ops = &ops,
      .arg = l,
      .nodes = o->nodes,
      .alive = o->nodes,
      .exit_timeout = exit_timeout,
      .verbose = o->verbose};
  l->input.watch.fd = -1;
  remote_shell_open(&l->shell, o->rsh, o->prefix);
  pst_jobsignals_block(&l->shell.mask);
  int signals = pst_jobsignals_open();
  if (signals < 0 || pst_loop_open(&l->loop, signals) != 0)
    fail(1, "cannot watch the job: %s", strerror(errno));
  open_members(l);
  open_output(l);
}

int launcher_run(const struct options *o, double exit_timeout)
{
  static struct launcher l;
  open_launcher(&l, o, exit_timeout);
  open_listener(&l);
  start_daemons(&l);
  if (start_processes(&l)) supervise_processes(&l);
  else close_listener(&l);
  close_members(&l);
  sigprocmask(
      SIG_SETMASK, &l.shell.mask, NULL); /* the last lines may wait for a slow reader: let signals end that */
  if (output_close(l.output) != 0 && !l.ending.code) l.ending.code = 1;
  pst_loop_close(&l.loop);
  remote_shell_close(&l.shell);
  free(l.collective.blobs);
  return l.failed ? l.failed : l.ending.code;
}
