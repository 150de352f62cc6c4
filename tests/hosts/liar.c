/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A daemon that knows the job's secret and breaks the rules: liar LIE. It reads the standard input that
 * gasnetrun gives its daemons. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "bootstrap/jobstate.h"
#include "launch/dial.c"
#include "launch/link.c"
#include "launch/listener.c"
#include "launch/secret.c"
#include "support/sha256.c"
#include "launch/wire.c"
#include "tests/fail.h"

static int launcher;

static void say(enum wire_type type, uint32_t a, uint32_t b, uint32_t c, size_t size)
{
  static char frame[WIRE_HEADER + 4 * WIRE_WORDS + WIRE_PIECE];
  const uint32_t word[WIRE_WORDS] = {a, b, c};
  const size_t n = wire_encode(type, word, size, frame) + size;
  for (size_t at = 0; at < n;) {
    await(launcher, POLLOUT, pst_loop_now() + 10);
    ssize_t sent = send(launcher, frame + at, n - at, MSG_NOSIGNAL);
    if (sent < 0) exit(0); /* the launcher has noticed */
    at += (size_t)sent;
  }
}

static void start_two(void)
{
  char text[65536];
  await(launcher, POLLIN, pst_loop_now() + 10); /* the job */
  while (await(launcher, POLLIN, pst_loop_now() + 0.3) && recv(launcher, text, sizeof text, 0) > 0) {}
  for (unsigned i = 0; i < 2; i++) say(WIRE_STARTED, i, 4711 + i, 0, 0);
}

static void lie(const char *how)
{
  if (strcmp(how, "early-output") == 0) say(WIRE_OUTPUT, 0, 0, 0, 10);
  if (strcmp(how, "silent") == 0 || strcmp(how, "early-output") == 0) return;
  start_two();
  if (strcmp(how, "early-bye") == 0) say(WIRE_BYE, 0, 0, 0, 0);
  if (strcmp(how, "unknown") == 0) say(WIRE_START, 0, 0, 0, 0);
  if (strcmp(how, "garbage") == 0) send(launcher, "GET / HTTP/1.0\r\n\r\n", 18, MSG_NOSIGNAL);
  if (strcmp(how, "wrong-node") == 0) say(WIRE_ENDED, 2, 1, 0, 0);
  if (strcmp(how, "twice") == 0) say(WIRE_STARTED, 1, 4712, 0, 0);
  if (strcmp(how, "size") == 0) say(WIRE_GATHER, 1, PST_MAX_LOCAL * 64, 0, WIRE_PIECE);
}

/* ---- a daemon that ends before the launcher looks ---- */

static char state_of(pid_t pid)
{
  char path[64], state = 'Z';
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *f = fopen(path, "r");
  if (!f) return state;
  if (fscanf(f, "%*d %*s %c", &state) != 1) state = 'Z';
  fclose(f);
  return state;
}

static void wait_for_state(pid_t pid, char state)
{
  while (state_of(pid) != state) usleep(1000);
}

/* The launcher, this process's parent, is stopped from before the proof until this process has ended: it
 * finds both at once. */
static void prove_and_end(void)
{
  static struct call c;
  unsigned char proof[PROOF_BYTES];
  const pid_t starter = getppid(), self = getpid();
  read_line();
  parse_line(&c);
  launcher = connect_to(c.place[0]);
  if (launcher < 0 || meet_launcher(&c, launcher, c.place[0], proof) != 0)
    fail(1, "no way to the launcher: %s", why);
  kill(starter, SIGSTOP);
  wait_for_state(starter, 'T');
  if (send_proof(launcher, c.place[0], proof) != 0) fail(1, "no way to the launcher: %s", why);
  if (fork()) exit(1);
  close(launcher);
  wait_for_state(self, 'Z');
  kill(starter, SIGCONT);
  exit(0);
}

int main(int argc, char **argv)
{
  unsigned host;
  char c;
  if (argc > 1 && strcmp(argv[1], "gone") == 0) prove_and_end();
  launcher = dial_launcher(&host);
  lie(argc > 1 ? argv[1] : "");
  while (await(launcher, POLLIN, pst_loop_now() + 20) && recv(launcher, &c, 1, 0) > 0) {}
  return 0;
}
