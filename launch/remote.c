/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bootstrap/children.h"
#include "launch/options.h"
#include "launch/pipes.h"

#define DEFAULT_SHELL "ssh -x -o BatchMode=yes"

/* ---- the command ---- */

static void shell_add_word(struct remote_shell *s, char *word)
{
  char **grown = realloc(s->word, (s->words + 1) * sizeof *grown);
  if (!grown || !word) fail(1, "out of memory");
  s->word = grown;
  s->word[s->words++] = word;
}

/* As a shell would, as far as blanks and quotes go. Returns what follows the word, NULL where a quote has no
 * end. */
static const char *take_word(const char *text, char *to)
{
  char quote = 0;
  for (; *text && (quote || !strchr(" \t\n", *text)); text++) {
    if (quote ? *text == quote : *text == '\'' || *text == '"') quote = quote ? 0 : *text;
    else *to++ = *text;
  }
  *to = '\0';
  return quote ? NULL : text;
}

static void shell_split(struct remote_shell *s, const char *text)
{
  const char *at = text;
  for (at += strspn(at, " \t\n"); *at; at += strspn(at, " \t\n")) {
    char *word = malloc(strlen(at) + 1);
    if (!word) fail(1, "out of memory");
    at = take_word(at, word);
    if (!at) fail(EXIT_MISUSE, "--rsh %s: a quote has no end", text);
    shell_add_word(s, word);
  }
  if (!s->words) fail(EXIT_MISUSE, "--rsh: there is no command");
}

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ssh and rsh hand their words to a shell; other commands hand them on as they are. */
static char *quoted_for(const char *shell, const char *path)
{
  const size_t plain = strspn(
      path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-=:@%,");
  char *text = malloc(4 * strlen(path) + 3), *to = text;
  if (!text) fail(1, "out of memory");
  if (!path[plain] || (strcmp(base_name(shell), "ssh") != 0 && strcmp(base_name(shell), "rsh") != 0))
    return strcpy(text, path);
  *to++ = '\'';
  for (; *path; path++) to = *path == '\'' ? stpcpy(to, "'\\''") : (*to = *path, to + 1);
  strcpy(to, "'");
  return text;
}

void remote_shell_open(struct remote_shell *s, const char *rsh, const char *prefix)
{
  char path[PATH_MAX];
  *s = (struct remote_shell){.chosen = rsh != NULL};
  shell_split(s, rsh ? rsh : DEFAULT_SHELL);
  if (prefix && snprintf(path, sizeof path, "%s/bin/gasnetrun", prefix) >= PATH_MAX)
    fail(EXIT_MISUSE, "--prefix: the path is too long");
  s->program = quoted_for(s->word[0], prefix ? path : program_path());
  if (!prefix && !*program_path()) fail(1, "cannot find out where gasnetrun lies: %s", strerror(errno));
  pipes_raise_files(&s->files); /* each host takes three descriptors */
}

void remote_shell_close(struct remote_shell *s)
{
  for (unsigned i = 0; i < s->words; i++) free(s->word[i]);
  free(s->word);
  free(s->program);
}

int remote_is_here(const struct remote_shell *s, const char *host)
{
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return !s->chosen && (strcmp(host, "localhost") == 0 || strcmp(host, name) == 0);
}

void remote_command(const struct remote *r, const struct remote_shell *s, char *text, size_t room)
{
  size_t n = 0;
  for (unsigned i = 0; !r->direct && i < s->words && n < room; i++)
    n += (size_t)snprintf(text + n, room - n, "%s ", s->word[i]);
  if (!r->direct && n < room) n += (size_t)snprintf(text + n, room - n, "%s ", r->name);
  if (n < room) snprintf(text + n, room - n, "%s --daemon", s->program);
}

/* ---- what it prints ---- */

static void print_line(const struct remote *r, const char *line, size_t n)
{
  dprintf(STDERR_FILENO, "gasnetrun: %s: %.*s\n", r->name, (int)n, line);
}

/* Whole lines; with `all` also one without an end. */
static void print_lines(struct remote *r, int all)
{
  size_t at = 0;
  for (const char *end; at < r->text_size && (end = memchr(r->text + at, '\n', r->text_size - at)) != NULL;) {
    const size_t n = (size_t)(end - (r->text + at));
    print_line(r, r->text + at, n && end[-1] == '\r' ? n - 1 : n);
    at += n + 1;
  }
  if (at < r->text_size && (all || at == 0)) {
    if (!all && r->text_size < sizeof r->text) return;
    print_line(r, r->text + at, r->text_size - at);
    at = r->text_size;
  }
  r->text_size -= at;
  memmove(r->text, r->text + at, r->text_size);
}

/* The beginning is what matters: later lines mostly follow from the first. */
static int remote_readable(int fd, void *arg)
{
  struct remote *r = arg;
  char spare[512];
  const size_t room = sizeof r->text - r->text_size;
  ssize_t n = room ? read(fd, r->text + r->text_size, room) : read(fd, spare, sizeof spare);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 1;
  if (n > 0) {
    if (room) r->text_size += (size_t)n;
    if (!r->quiet) print_lines(r, 0);
    return 1;
  }
  if (!r->quiet) print_lines(r, 1);
  close(fd);
  r->said.fd = -1;
  return 0;
}

void remote_repeat(struct remote *r)
{
  while (r->said.fd >= 0) {
    struct pollfd p = {.fd = r->said.fd, .events = POLLIN};
    if (poll(&p, 1, 0) <= 0 || !remote_readable(r->said.fd, r)) break;
  }
  print_lines(r, 1);
}

/* ---- its life ---- */

static _Noreturn void become_remote_shell(
    const struct remote *r, const struct remote_shell *s, pid_t parent, int in, int out)
{
  char **argv = calloc(s->words + 4, sizeof *argv);
  unsigned n = 0;
  pst_children_begin(parent, &s->mask);
  setsid(); /* a terminal's signals are ours to pass on, and a password cannot be asked for */
  setrlimit(RLIMIT_NOFILE, &s->files);
  if (!argv || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
    _exit(1);
  for (unsigned i = 0; !r->direct && i < s->words; i++) argv[n++] = s->word[i];
  if (!r->direct) argv[n++] = (char *)r->name;
  argv[n++] = s->program;
  argv[n] = (char *)"--daemon";
  execvp(argv[0], argv);
  dprintf(STDERR_FILENO, "cannot execute '%s': %s\n", argv[0], strerror(errno));
  _exit(127);
}

static void fail_to_start(const struct remote *r)
{
  fail(
      1, "cannot start the command for host '%s': %s; see ulimit -n and ulimit -u", r->name, strerror(errno));
}

void remote_start(struct remote *r, const struct remote_shell *s, struct pst_loop *loop, const char *line)
{
  int in[2], out[2];
  const pid_t parent = getpid();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 || pipe2(out, O_CLOEXEC) != 0)
    fail_to_start(r);
  r->pid = fork();
  if (r->pid < 0) fail_to_start(r);
  if (r->pid == 0) become_remote_shell(r, s, parent, in[1], out[1]);
  close(in[1]);
  close(out[1]);
  r->in = in[0];
  r->quiet = 1;
  r->text_size = 0;
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  r->said = (struct pst_loop_fd){out[0], remote_readable, r, POLLIN};
  if (pst_loop_watch(loop, &r->said) != 0) fail(1, "out of memory");
  /* A command that has ended already is reported when it is reaped. */
  if (send(r->in, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EPIPE) fail_to_start(r);
}

void remote_connected(struct remote *r)
{
  r->quiet = 0;
  r->text_size = 0;
  close(r->in);
  r->in = -1;
}

/* With all processes that the command has started: ssh starts a proxy where it is told to. They are of its
 * process group, unless it has not come to make one; then it has started nothing. */
static void remote_kill(struct remote *r)
{
  if (kill(-r->pid, SIGKILL) != 0) kill(r->pid, SIGKILL);
  waitpid(r->pid, NULL, 0);
  r->pid = 0;
}

void remote_close(struct remote *r, struct pst_loop *loop)
{
  if (r->pid > 0) remote_kill(r);
  if (r->in >= 0) close(r->in);
  if (r->said.fd >= 0) {
    pst_loop_forget(loop, &r->said);
    close(r->said.fd);
  }
  r->in = r->said.fd = -1;
}
