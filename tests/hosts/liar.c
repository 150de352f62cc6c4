/* A daemon that knows the job's secret and breaks the rules: liar LIE, on the standard input that gasnetrun gives its daemon. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/bootstrap/jobstate.h"
#include "launch/dial.c"
#include "launch/listener.c"
#include "launch/secret.c"
#include "support/sha256.c"
#include "launch/wire.c"

void fail(int code, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vfprintf(stderr, fmt, args);
  va_end(args);
  exit(code);
}

static int launcher;

static void say(enum wire_type type, uint32_t a, uint32_t b, uint32_t c, size_t size)
{
  static char frame[WIRE_HEADER + 4 * WIRE_WORDS + WIRE_PIECE];
  const uint32_t word[WIRE_WORDS] = {a, b, c};
  const size_t n = wire_encode(type, word, size, frame) + size;
  for (size_t at = 0; at < n;) {
    await(launcher, POLLOUT, pst_loop_now() + 10);
    ssize_t sent = send(launcher, frame + at, n - at, MSG_NOSIGNAL);
    if (sent < 0) exit(0); /* we were seen through */
    at += (size_t)sent;
  }
}

static void start_two(void)
{
  char text[65536];
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

int main(int argc, char **argv)
{
  char c;
  launcher = dial_launcher();
  lie(argc > 1 ? argv[1] : "");
  while (await(launcher, POLLIN, pst_loop_now() + 20) && recv(launcher, &c, 1, 0) > 0) {}
  return 0;
}
