/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What comes from a launcher that speaks PMI: messages in pieces, several at once, too long, of an impossible
 * length, not text, cut off; and 20,000 random ones, each of which arrives whole. PST_SEED repeats a run. */
#include "bootstrap/pmi.c"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct stream s;
static int far;

static void begin(void)
{
  int fd[2];
  CU_ASSERT_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
  memset(&s, 0, sizeof s);
  s.fd = fd[0];
  far = fd[1];
}

static void end(void)
{
  close(s.fd);
  if (far >= 0) close(far);
}

static void tell_bytes(const void *bytes, size_t n) { CU_ASSERT_FATAL(write(far, bytes, n) == (ssize_t)n); }
static void tell(const char *text) { tell_bytes(text, strlen(text)); }
static void hang_up(void) { close(far), far = -1; }

static int is_line(const char *text)
{
  return stream_receive_line(&s, 5) == NULL && strcmp(s.text, text) == 0;
}
static int is_counted(const char *text)
{
  return stream_receive_counted(&s, 5) == NULL && strcmp(s.text, text) == 0;
}
static int says(const char *why, const char *part) { return why && strstr(why, part); }

static void test_lines(void)
{
  begin();
  tell("cmd=init rc=0\n\ncmd=x");
  CU_ASSERT(is_line("cmd=init rc=0") && is_line(""));
  CU_ASSERT(stream_receive_line(&s, 0) == pst_kvs_late && stream_receive_line(&s, 0.01) == pst_kvs_late);
  tell("y\nrest");
  CU_ASSERT(is_line("cmd=xy") && s.have == 4);
  hang_up();
  CU_ASSERT(says(stream_receive_line(&s, 5), "closed"));
  CU_ASSERT(says(stream_send(&s, "cmd=x\n", 6), "closed"));
  end();
}

static void test_counted(void)
{
  begin();
  tell("     5abcde6     fghijk0000");
  CU_ASSERT(is_counted("abcde") && is_counted("fghijk") && stream_receive_counted(&s, 0) == pst_kvs_late);
  tell("00     1\n");
  CU_ASSERT(is_counted("") && is_counted("\n") && s.have == 0);
  tell("     9abc");
  hang_up();
  CU_ASSERT(says(stream_receive_counted(&s, 5), "closed"));
  end();
}

static void test_impossible(void)
{
  static const char *const counts[] = {"    -1", "      ", "99999x", "999999", "  8187", "1 2   "};
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    begin();
    tell(counts[i]);
    CU_ASSERT(says(stream_receive_counted(&s, 5), "no possible length"));
    end();
  }
  begin();
  tell_bytes("a\0b\n", 4);
  CU_ASSERT(says(stream_receive_line(&s, 5), "no text"));
  end();
  begin();
  tell_bytes("     2a\0", 8);
  CU_ASSERT(says(stream_receive_counted(&s, 5), "no text"));
  end();
}

/* The longest that fits, and one byte more. */
static void test_long(void)
{
  static char text[MESSAGE_MOST + 1];
  memset(text, 'x', sizeof text);
  begin();
  text[MESSAGE_MOST - 1] = '\n';
  tell_bytes(text, MESSAGE_MOST);
  CU_ASSERT(stream_receive_line(&s, 5) == NULL && strlen(s.text) == MESSAGE_MOST - 1);
  text[MESSAGE_MOST - 1] = 'x';
  tell_bytes(text, MESSAGE_MOST);
  CU_ASSERT(says(stream_receive_line(&s, 5), "too long"));
  end();
  begin();
  tell("  8186");
  tell_bytes(text, 8186);
  CU_ASSERT(stream_receive_counted(&s, 5) == NULL && strlen(s.text) == 8186 && s.have == 0);
  end();
}

static void make_message(char *text, int counted)
{
  const size_t n = below(8) ? below(60) : below(4000), head = counted ? COUNT_DIGITS : 0;
  if (counted) sprintf(text, "%6zu", n);
  for (size_t i = 0; i < n; i++) text[head + i] = (char)('!' + below(90));
  text[head + n] = '\0';
}

static void test_random(void)
{
  static char sent[2][4096];
  begin();
  for (unsigned round = 0; round < 10000; round++) {
    const int counted = below(2);
    const size_t head = counted ? COUNT_DIGITS : 0;
    for (unsigned k = 0; k < 2; k++) make_message(sent[k], counted);
    const size_t first = below(strlen(sent[0]) + 1);
    tell_bytes(sent[0], first);
    CU_ASSERT_FATAL((counted ? stream_receive_counted(&s, 0) : stream_receive_line(&s, 0)) == pst_kvs_late ||
        (counted && first == strlen(sent[0])));
    if (counted && first == strlen(sent[0])) {
      CU_ASSERT_FATAL(strcmp(s.text, sent[0] + head) == 0);
      tell(sent[1]);
    } else {
      tell(sent[0] + first);
      if (!counted) tell("\n");
      tell(sent[1]);
      CU_ASSERT_FATAL(counted ? is_counted(sent[0] + head) : is_line(sent[0]));
    }
    if (!counted) tell("\n");
    CU_ASSERT_FATAL((counted ? is_counted(sent[1] + head) : is_line(sent[1])) && s.have == 0);
  }
  end();
}

/* MPI closes the socket, and the program opens another one, which gets the number. */
static void test_closed_by_others(void)
{
  char number[16], text[512] = "", stray;
  int other[2];
  begin();
  snprintf(number, sizeof number, "%d", s.fd);
  setenv("PMI_FD", number, 1), setenv("PMI_RANK", "0", 1), setenv("PMI_SIZE", "1", 1);
  tell("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\ncmd=maxes vallen_max=1024\n"
       "cmd=my_kvsname kvsname=k\ncmd=finalize_ack\n");
  const struct pst_kvs *k = pst_kvs_open_pmi();
  CU_ASSERT_FATAL(k && socketpair(AF_UNIX, SOCK_STREAM, 0, other) == 0 && dup2(other[0], s.fd) == s.fd);
  k->leave();
  CU_ASSERT(read(far, text, sizeof text - 1) > 0 && strstr(text, "cmd=finalize\n"));
  CU_ASSERT(recv(other[1], &stray, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
  close(other[0]), close(other[1]), close(launcher.fd);
  unsetenv("PMI_FD"), unsetenv("PMI_RANK"), unsetenv("PMI_SIZE");
  end();
}

int main(void)
{
  const struct unit_test tests[] = {{"lines", test_lines}, {"counted messages", test_counted},
      {"impossible ones", test_impossible}, {"long ones", test_long}, {"random ones", test_random},
      {"a socket that others close", test_closed_by_others}};
  random_begin();
  return RUN_SUITE("PMI's stream", tests);
}
