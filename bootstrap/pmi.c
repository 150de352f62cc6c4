/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The key-value store of a launcher that speaks PMI, over a socket that it leaves open for the process:
 * MPICH's mpiexec, srun --mpi=pmi2. PMI-1 writes lines of words `key=value`, PMI-2 fields `key=value;` behind
 * a count. All that comes is the launcher's word, and checked. All processes put into one store, so the rank
 * is added to each key. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "bootstrap/jobstate.h"
#include "bootstrap/kvs.h"
#include "bootstrap/loop.h"
#include "support/error.h"

enum {
  MESSAGE_MOST = 8192, /* bytes */
  COUNT_DIGITS = 6,    /* before a message of PMI-2 */
  VALUE_LEAST = 64,    /* a launcher of PMI-1 that takes less is of no use */
  PMI2_VALUE_MOST = 1024,
  NAME_MOST = 256
};

/* ---- messages as texts ---- */

/* Returns the value's length, which may be more than was stored. */
static size_t value_copy(const char **at, char separator, char *value, size_t size)
{
  const char *p = *at;
  size_t n = 0;
  for (; *p; p++) {
    if (*p == separator) {
      if (separator != ';' || p[1] != ';') break;
      p++;
    }
    if (n + 1 < size) value[n] = *p;
    n++;
  }
  if (size) value[n < size ? n : size - 1] = '\0';
  *at = p;
  return n;
}

/* The value of a field `key=value`; fields are separated by blanks in PMI-1, by semicolons in PMI-2, where
 * two of them stand for one within a value. 0, PST_ERR_INVALID where there is none, PST_ERR_RANGE where it
 * has more than size-1 bytes. */
static int message_field(const char *text, char separator, const char *key, char *value, size_t size)
{
  const char ends[] = {'=', separator, '\0'};
  const size_t length = strlen(key);
  while (*text) {
    const size_t n = strcspn(text, ends);
    const char *at = text + n + 1;
    if (text[n] == '=' && n == length && memcmp(text, key, n) == 0)
      return value_copy(&at, separator, value, size) < size ? PST_OK : PST_ERR_RANGE;
    if (text[n] == '=') value_copy(&at, separator, NULL, 0);
    else at = text + n;
    text = *at ? at + 1 : at;
  }
  return PST_ERR_INVALID;
}

/* A decimal number and nothing else. */
static int decimal_parse(const char *text, unsigned least, unsigned most, unsigned *number)
{
  unsigned long long v = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9'; p++)
    if ((v = v * 10 + (unsigned)(*p - '0')) > most) return PST_ERR_RANGE;
  if (p == text || *p) return PST_ERR_INVALID;
  if (v < least) return PST_ERR_RANGE;
  *number = (unsigned)v;
  return PST_OK;
}

/* A field that is a decimal number, from `least` to `most`. */
static int message_number(
    const char *text, char separator, const char *key, unsigned least, unsigned most, unsigned *number)
{
  char value[16];
  const int err = message_field(text, separator, key, value, sizeof value);
  return err ? err : decimal_parse(value, least, most, number);
}

/* The length before a message of PMI-2: digits, with blanks before them (MPICH) or behind (Slurm). 0 or
 * PST_ERR_*. */
static int message_count(const char digits[COUNT_DIGITS], size_t most, size_t *count)
{
  char text[COUNT_DIGITS + 1] = {0};
  unsigned n;
  memcpy(text, digits, COUNT_DIGITS);
  for (size_t end = COUNT_DIGITS; end && text[end - 1] == ' ';) text[--end] = '\0';
  const int err = decimal_parse(text + strspn(text, " "), 0, (unsigned)most, &n);
  if (!err) *count = n;
  return err;
}

/* ---- the socket: whole messages out and in ---- */

struct stream {
  int fd;
  size_t have; /* bytes in `in` */
  char in[MESSAGE_MOST];
  char text[MESSAGE_MOST]; /* the last message that came, without its end or count */
};

static const char
    gone[] = "the launcher has closed its connection to this process (a program can run once in a job)";
static const char long_message[] = "the launcher has sent a message that is too long";

static const char *stream_send(struct stream *s, const char *bytes, size_t n)
{
  while (n) {
    const ssize_t done = send(s->fd, bytes, n, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno == EPIPE ? gone : pst_why("cannot speak to the launcher: %m");
    bytes += done;
    n -= (size_t)done;
  }
  return NULL;
}

static const char *stream_await(int fd, double until)
{
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    const int rest = pst_loop_milliseconds(until), n = poll(&p, 1, rest);
    if (n > 0) return NULL;
    if (n < 0 && errno != EINTR) return pst_why("cannot wait for the launcher: %m");
    if (rest == 0) return pst_kvs_late;
  }
}

static const char *stream_receive_some(struct stream *s, double until)
{
  if (s->have == sizeof s->in) return long_message;
  const char *why = stream_await(s->fd, until);
  if (why) return why;
  const ssize_t n = recv(s->fd, s->in + s->have, sizeof s->in - s->have, 0);
  if (n < 0 && errno == EINTR) return NULL;
  if (n < 0 && errno != ECONNRESET) return pst_why("cannot hear the launcher: %m");
  if (n <= 0) return gone;
  s->have += (size_t)n;
  return NULL;
}

/* The message lies at `begin`; `used` bytes of the input end with it. */
static const char *message_take(struct stream *s, size_t begin, size_t size, size_t used)
{
  if (memchr(s->in + begin, 0, size)) return "the launcher has sent a message that is no text";
  memcpy(s->text, s->in + begin, size);
  s->text[size] = '\0';
  s->have -= used;
  memmove(s->in, s->in + used, s->have);
  return NULL;
}

/* A line (PMI-1). */
static const char *stream_receive_line(struct stream *s, double seconds)
{
  const double until = pst_loop_now() + seconds;
  for (;;) {
    const char *end = memchr(s->in, '\n', s->have);
    if (end) return message_take(s, 0, (size_t)(end - s->in), (size_t)(end - s->in) + 1);
    const char *why = stream_receive_some(s, until);
    if (why) return why;
  }
}

/* Six digits and so many bytes (PMI-2). */
static const char *stream_receive_counted(struct stream *s, double seconds)
{
  const double until = pst_loop_now() + seconds;
  for (;;) {
    size_t size = 0;
    if (s->have >= COUNT_DIGITS && message_count(s->in, sizeof s->in - COUNT_DIGITS, &size) != 0)
      return "the launcher has sent a message of no possible length";
    if (s->have >= COUNT_DIGITS && s->have - COUNT_DIGITS >= size)
      return message_take(s, COUNT_DIGITS, size, COUNT_DIGITS + size);
    const char *why = stream_receive_some(s, until);
    if (why) return why;
  }
}

/* ---- questions and answers ---- */

static struct stream launcher;
static struct pst_kvs pmi;
static unsigned protocol;    /* the version that is spoken */
static char name[NAME_MOST]; /* of the key-value store (PMI-1), of the job (PMI-2) */

static char separator(void) { return protocol == 2 ? ';' : ' '; }

/* Not all answers of PMI-1 have a field `rc`. */
static const char *answer_check(const char *answer)
{
  char command[48];
  unsigned rc;
  if (message_field(launcher.text, separator(), "cmd", command, sizeof command) ||
      strcmp(command, answer) != 0) {
    return pst_why("the launcher answered '%.80s' in place of %s", launcher.text, answer);
  }
  const int err = message_number(launcher.text, separator(), "rc", 0, 0, &rc);
  if (err == PST_OK ||
      (protocol == 1 &&
          message_field(launcher.text, separator(), "rc", command, sizeof command) == PST_ERR_INVALID))
    return NULL;
  return pst_why("the launcher refuses: '%.120s'", launcher.text);
}

/* Without `answer` nothing is waited for. */
static const char *launcher_ask(const char *answer, double seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *launcher_ask(const char *answer, double seconds, const char *format, ...)
{
  char text[MESSAGE_MOST], count[COUNT_DIGITS + 8];
  const size_t head = protocol == 2 ? COUNT_DIGITS : 0;
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text + head, sizeof text - head, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof text - head) return "a message to the launcher is too long";
  snprintf(count, sizeof count, "%*d", COUNT_DIGITS, n);
  memcpy(text, count, head);
  const char *why = stream_send(&launcher, text, head + (size_t)n);
  if (why || !answer) return why;
  why = protocol == 2 ? stream_receive_counted(&launcher, seconds) : stream_receive_line(&launcher, seconds);
  return why ? why : answer_check(answer);
}

static const char *answer_value(char *value, size_t size)
{
  return message_field(launcher.text, separator(), "value", value, size)
      ? "the launcher has no value that this process can use"
      : NULL;
}

/* ---- PMI-1 ---- */

static const char *pmi1_put(const char *key, const char *value)
{
  return launcher_ask(
      "put_result", HUGE_VAL, "cmd=put kvsname=%s key=%s.%u value=%s\n", name, key, pmi.rank, value);
}

static const char *pmi1_fence(double seconds)
{
  return launcher_ask("barrier_out", seconds, "cmd=barrier_in\n");
}

static const char *pmi1_get(unsigned from, const char *key, char *value, size_t size)
{
  const char *why = launcher_ask("get_result", HUGE_VAL, "cmd=get kvsname=%s key=%s.%u\n", name, key, from);
  return why ? why : answer_value(value, size);
}

static void pmi1_abort(int code) { launcher_ask(NULL, 0, "cmd=abort exitcode=%d\n", code); }
static void pmi1_leave(void) { launcher_ask("finalize_ack", HUGE_VAL, "cmd=finalize\n"); }

static const char *pmi1_begin(void)
{
  unsigned most;
  pmi = (struct pst_kvs){
      "PMI-1", pmi.rank, pmi.size, 0, pmi1_put, pmi1_fence, pmi1_get, pmi1_abort, pmi1_leave};
  const char *why = launcher_ask("maxes", HUGE_VAL, "cmd=get_maxes\n");
  if (why) return why;
  if (message_number(launcher.text, ' ', "vallen_max", VALUE_LEAST, 1 << 24, &most))
    return "the launcher takes no values of use";
  pmi.value_max = most;
  why = launcher_ask("my_kvsname", HUGE_VAL, "cmd=get_my_kvsname\n");
  if (why) return why;
  return message_field(launcher.text, ' ', "kvsname", name, sizeof name) || !*name
      ? "the launcher does not name its key-value store"
      : NULL;
}

/* ---- PMI-2 ---- */

static const char *pmi2_put(const char *key, const char *value)
{
  return launcher_ask("kvs-put-response", HUGE_VAL, "cmd=kvs-put;key=%s.%u;value=%s;", key, pmi.rank, value);
}

static const char *pmi2_fence(double seconds)
{
  return launcher_ask("kvs-fence-response", seconds, "cmd=kvs-fence;");
}

static const char *pmi2_get(unsigned from, const char *key, char *value, size_t size)
{
  const char *why = launcher_ask(
      "kvs-get-response", HUGE_VAL, "cmd=kvs-get;jobid=%s;srcid=-1;key=%s.%u;", name, key, from);
  return why ? why : answer_value(value, size);
}

/* The protocol has no place for the code. */
static void pmi2_abort(int code) { launcher_ask(NULL, 0, "cmd=abort;isworld=TRUE;msg=exit code %d;", code); }
static void pmi2_leave(void) { launcher_ask("finalize-response", HUGE_VAL, "cmd=finalize;"); }

static const char *pmi2_begin(void)
{
  const char *id = getenv("PMI_JOBID");
  unsigned said;
  pmi = (struct pst_kvs){
      "PMI-2", pmi.rank, pmi.size, PMI2_VALUE_MOST, pmi2_put, pmi2_fence, pmi2_get, pmi2_abort, pmi2_leave};
  snprintf(name, sizeof name, "%s", id ? id : "");
  if (strpbrk(name, ";=\n")) return "PMI_JOBID is malformed";
  const char *why = launcher_ask(
      "fullinit-response", HUGE_VAL, "cmd=fullinit;pmijobid=%s;pmirank=%u;threaded=FALSE;", name, pmi.rank);
  if (why) return why;
  if (message_number(launcher.text, ';', "rank", pmi.rank, pmi.rank, &said) ||
      message_number(launcher.text, ';', "size", pmi.size, pmi.size, &said))
    return "the launcher and its variables differ in who this process is";
  return NULL;
}

/* ---- the beginning, which both have in common ---- */

static int variable_number(const char *variable, unsigned least, unsigned most, unsigned *value)
{
  const char *text = getenv(variable);
  return text && decimal_parse(text, least, most, value) == PST_OK;
}

/* A program that a node has started finds the variables, but not the socket. */
static int socket_find(void)
{
  unsigned fd;
  struct stat st;
  if (!variable_number("PMI_FD", 0, 1 << 20, &fd) || fstat((int)fd, &st) != 0 || !S_ISSOCK(st.st_mode))
    return -1;
  return (int)fd;
}

/* MPI in the same process closes the socket when it is finalised, and what gets the number then is no
 * launcher: this one keeps a number of its own. */
static int socket_keep(int fd)
{
  const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  return own >= 0 ? own : fd;
}

/* *spoken is 1 where the launcher speaks that version. */
static const char *version_offer(unsigned offered, unsigned subversion, int *spoken)
{
  char text[64];
  unsigned answer, rc = 1;
  const int n = snprintf(
      text, sizeof text, "cmd=init pmi_version=%u pmi_subversion=%u\n", offered, subversion);
  const char *why = stream_send(&launcher, text, (size_t)n);
  if (!why) why = stream_receive_line(&launcher, HUGE_VAL);
  if (why) return why;
  if (message_field(launcher.text, ' ', "cmd", text, sizeof text) || strcmp(text, "response_to_init") != 0)
    return "the launcher does not answer as PMI does";
  *spoken = !message_number(launcher.text, ' ', "rc", 0, 0, &rc) &&
      !message_number(launcher.text, ' ', "pmi_version", offered, offered, &answer);
  protocol = offered;
  return NULL;
}

/* The first version tells the launcher a job's exit code, the second does not. */
static const char *pmi_begin(void)
{
  int spoken = 0;
  const char *why = version_offer(1, 1, &spoken);
  if (why || spoken) return why ? why : pmi1_begin();
  why = version_offer(2, 0, &spoken);
  if (why) return why;
  return spoken ? pmi2_begin() : "the launcher speaks neither version 1 nor 2 of PMI";
}

const struct pst_kvs *pst_kvs_open_pmi(void)
{
  const int fd = socket_find();
  if (fd < 0) return NULL;
  if (!variable_number("PMI_SIZE", 1, PST_MAX_LOCAL * PST_MAX_HOSTS, &pmi.size) ||
      !variable_number("PMI_RANK", 0, pmi.size - 1, &pmi.rank))
    pst_fatal("PMI_FD is open, and PMI_RANK and PMI_SIZE do not say who this process is; GASNET_PSHM_NODES=1 "
              "makes it a job of its own");
  launcher.fd = socket_keep(fd);
  const char *why = pmi_begin();
  if (why) pst_fatal("cannot join the job of the launcher (PMI): %s", why);
  return &pmi;
}
