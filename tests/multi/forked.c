/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A node forks a process: the child's GASNet calls end it with a message and code 1, it may end by itself,
 * and the job notices neither. */
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "gasnet_coll.h"
#include "gasnetx.h"

enum { ON_MESSAGE = 200, OURS = 0x0123abcd, THEIRS = 0x7777 };

static volatile int messages;
static void on_message(gasnet_token_t token)
{
  (void)token;
  messages++;
}

static gasnet_node_t peer;
static gasnetx_plan_t plan;
static uint32_t word = THEIRS;
static uint32_t *there(void) { return (uint32_t *)(void *)seg_at(peer, 64); }

static void put(void) { gasnet_put(peer, there(), &word, sizeof word); }
static void put_long(void)
{
  static char much[4096];
  gasnet_put_bulk(peer, there(), much, sizeof much);
}
static void put_value(void) { gasnet_put_val(peer, there(), THEIRS, sizeof word); }
static void put_implicit(void)
{
  gasnet_put_nbi(peer, there(), &word, sizeof word);
  gasnet_wait_syncnbi_all();
}
static void get(void) { gasnet_get(&word, peer, there(), sizeof word); }
static void set(void) { gasnet_memset(peer, there(), 0, sizeof word); }
static void strided(void)
{
  const size_t stride[] = {8}, count[] = {4, 3};
  gasnet_puts_bulk(peer, there(), stride, seg_at(test.me, 256), stride, count, 1);
}
static void start_plan(void) { gasnetx_plan_run(plan); }
static void request(void) { gasnet_AMRequestShort0(peer, ON_MESSAGE); }
static void poll(void) { gasnet_AMPoll(); }
static void notify(void) { gasnet_barrier_notify(1, 0); }
static void barrier(void) { gasnet_barrier(1, 0); }
static void broadcast(void)
{
  gasnet_coll_broadcast(GASNET_TEAM_ALL, &word, 0, &word, sizeof word,
      GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
}
static void add(void) { gasnetx_atomic32(GASNETX_ADD, peer, there(), 1, 0); }
static void init(void) { gasnet_init(NULL, NULL); }
static void attach(void) { gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0); }
static void leave(void) { gasnet_exit(7); }
static void leave_too(void) { exit(5); }

/* Returns the child's exit code; `said` is what it wrote to standard error. */
static int in_child(void (*call)(void), char *said, size_t size)
{
  int ends[2], status;
  size_t have = 0;
  REQUIRE(pipe(ends) == 0, "no pipe");
  const pid_t child = fork();
  REQUIRE(child >= 0, "fork failed");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    call();
    _exit(99);
  }
  close(ends[1]);
  for (ssize_t n; (n = read(ends[0], said + have, size - 1 - have)) > 0;) have += (size_t)n;
  said[have] = '\0';
  close(ends[0]);
  REQUIRE(waitpid(child, &status, 0) == child, "the child is not ours");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void refused(const char *name, void (*call)(void))
{
  char said[2048];
  const int code = in_child(call, said, sizeof said);
  CHECK(code == 1, "%s: the child ended with %d: %s", name, code, said);
  CHECK(strstr(said, "which this node has forked") && strchr(said, '\n') == said + strlen(said) - 1,
      "%s: the child said '%s'", name, said);
}

/* A child may not call GASNet before attach either. */
static void before_attach(void)
{
  refused("gasnet_init", init);
  refused("gasnet_attach", attach);
}

static void check_job(void)
{
  uint32_t seen = 0;
  test_barrier();
  CHECK(*(uint32_t *)(void *)seg_at(test.me, 64) == OURS, "a child has changed this node's memory: %x",
      *(uint32_t *)(void *)seg_at(test.me, 64));
  gasnet_get(&seen, peer, there(), sizeof seen);
  CHECK(seen == OURS, "a get brings %x", seen);
  CHECK(messages == 0, "a child has sent %d messages", messages);
  test_barrier();
  gasnet_AMRequestShort0(peer, ON_MESSAGE);
  GASNET_BLOCKUNTIL(messages == 1);
  test_barrier();
  messages = 0;
  test_barrier();
}

static void check_leaving(void)
{
  char said[2048];
  CHECK(in_child(leave, said, sizeof said) == 7 && !*said, "gasnet_exit in a child: %s", said);
  CHECK(in_child(leave_too, said, sizeof said) == 5 && !*said, "exit in a child: %s", said);
}

int main(int argc, char **argv)
{
  const size_t one[] = {sizeof word};
  gasnet_handlerentry_t table[] = {{ON_MESSAGE, (void (*)())on_message}};
  test_init("forked", &argc, &argv);
  before_attach();
  test_attach(table, 1, 2 * GASNET_PAGESIZE);
  peer = peer_to(1);
  *(uint32_t *)(void *)seg_at(test.me, 64) = OURS;
  gasnet_coll_init(0, 0, 0, 0, 0);
  plan = gasnetx_plan_create();
  gasnetx_plan_puts(plan, peer, there(), NULL, &word, NULL, one, 0);
  test_barrier();
#define REFUSED(call) refused(#call, call)
  REFUSED(put), REFUSED(put_long), REFUSED(put_value), REFUSED(put_implicit), REFUSED(get), REFUSED(set),
      REFUSED(strided);
  REFUSED(start_plan), REFUSED(request), REFUSED(poll), REFUSED(notify), REFUSED(barrier), REFUSED(broadcast),
      REFUSED(add);
  REFUSED(init), REFUSED(attach);
  check_job();
  check_leaving();
  check_job();
  test_finish();
}
