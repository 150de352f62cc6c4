/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/error.h"

static const char *skip_blanks(const char *s)
{
  while (isspace((unsigned char)*s)) s++;
  return s;
}

static int at_end(const char *s) { return *skip_blanks(s) == '\0'; }

int pst_parse_bool(const char *text, int *value)
{
  static const char *const words[2][6] = {
      {"no", "n", "false", "f", "off", "0"}, {"yes", "y", "true", "t", "on", "1"}};
  for (int truth = 0; truth < 2; truth++)
    for (unsigned i = 0; i < 6; i++)
      if (strcasecmp(text, words[truth][i]) == 0) return *value = truth, PST_OK;
  return PST_ERR_INVALID;
}

int pst_parse_int(const char *text, int64_t *value)
{
  const char *s = skip_blanks(text);
  const char *digits = s + (*s == '-' || *s == '+');
  int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
  /* strtoll would take blanks after the sign and "0x" without a digit */
  if (!isxdigit((unsigned char)digits[base == 16 ? 2 : 0])) return PST_ERR_INVALID;
  char *end;
  errno = 0;
  long long v = strtoll(s, &end, base);
  if (end == s || !at_end(end)) return PST_ERR_INVALID;
  if (errno == ERANGE) return PST_ERR_RANGE;
  *value = v;
  return PST_OK;
}

/* Decimal point notation only: no hexadecimal floats, no names like "inf". */
static int parse_decimal(const char *text, const char **end, double *value)
{
  const char *s = skip_blanks(text);
  if (strspn(s, "0123456789.+-") == 0 || ((s[0] == '0') && (s[1] == 'x' || s[1] == 'X')))
    return PST_ERR_INVALID;
  if (*s != '.' && !isdigit((unsigned char)*s) && !isdigit((unsigned char)s[1]) && s[1] != '.')
    return PST_ERR_INVALID;
  char *stop;
  double v = strtod(s, &stop);
  if (stop == s) return PST_ERR_INVALID;
  if (!isfinite(v)) return PST_ERR_RANGE;
  *end = stop;
  *value = v;
  return PST_OK;
}

int pst_parse_double(const char *text, double *value)
{
  const char *end;
  double v;
  int err = parse_decimal(text, &end, &v);
  if (err) return err;
  if (!at_end(end)) return PST_ERR_INVALID;
  *value = v;
  return PST_OK;
}

/* The factor of "K", "KB", "KiB", ... at s, or 0 where no unit stands; *end is behind it. */
static uint64_t size_unit(const char *s, const char **end)
{
  static const char letters[] = "KMGTPE";
  const char *at = *s ? strchr(letters, toupper((unsigned char)*s)) : NULL;
  *end = s;
  if (!at) {
    if (*s == 'B' || *s == 'b') return *end = s + 1, 1;
    return 0;
  }
  s++;
  if (*s == 'i' || *s == 'I') s++;
  if (*s == 'B' || *s == 'b') s++;
  *end = s;
  return 1ull << (10 * (at - letters + 1));
}

static int scale_whole(uint64_t n, uint64_t unit, uint64_t *bytes)
{
  uint64_t product;
  if (__builtin_mul_overflow(n, unit, &product)) return PST_ERR_RANGE;
  *bytes = product;
  return PST_OK;
}

static int scale_fraction(double n, uint64_t unit, uint64_t *bytes)
{
  double v = n * (double)unit;
  if (v >= 18446744073709551616.0) return PST_ERR_RANGE;
  if (unit == 1 && v != (double)(uint64_t)v) return PST_ERR_INVALID; /* half a byte */
  *bytes = (uint64_t)v;
  return PST_OK;
}

int pst_parse_size(const char *text, uint64_t unit, uint64_t *bytes)
{
  const char *s = skip_blanks(text);
  if (!isdigit((unsigned char)*s) && *s != '.') return PST_ERR_INVALID;
  int hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  if (hex && !isxdigit((unsigned char)s[2])) return PST_ERR_INVALID;
  char *whole_end;
  errno = 0;
  uint64_t whole = strtoull(s, &whole_end, hex ? 16 : 10);
  int too_big = errno == ERANGE;
  int fraction = !hex && (*whole_end == '.' || whole_end == s);
  const char *end = whole_end;
  double number = 0;
  if (fraction) {
    int err = parse_decimal(s, &end, &number);
    if (err) return err;
  }
  uint64_t factor = size_unit(skip_blanks(end), &end);
  if (!at_end(end)) return PST_ERR_INVALID;
  if (factor == 0) factor = unit ? unit : 1;
  if (fraction) return scale_fraction(number, factor, bytes);
  return too_big ? PST_ERR_RANGE : scale_whole(whole, factor, bytes);
}

int pst_parse_seconds(const char *text, double *seconds)
{
  const char *end;
  double v;
  int err = parse_decimal(text, &end, &v);
  if (err) return err;
  end = skip_blanks(end);
  if (strncasecmp(end, "ms", 2) == 0) v /= 1000, end += 2;
  else if (*end == 's' || *end == 'S') end++;
  if (!at_end(end)) return PST_ERR_INVALID;
  if (v < 0) return PST_ERR_RANGE;
  *seconds = v;
  return PST_OK;
}

/* Not sigabbrev_np: it is glibc's alone, and recent. */
static const struct {
  const char *name;
  int sig;
} signal_names[] = {
    {"HUP", SIGHUP},
    {"INT", SIGINT},
    {"QUIT", SIGQUIT},
    {"ILL", SIGILL},
    {"TRAP", SIGTRAP},
    {"ABRT", SIGABRT},
    {"IOT", SIGABRT},
    {"BUS", SIGBUS},
    {"FPE", SIGFPE},
    {"KILL", SIGKILL},
    {"USR1", SIGUSR1},
    {"SEGV", SIGSEGV},
    {"USR2", SIGUSR2},
    {"PIPE", SIGPIPE},
    {"ALRM", SIGALRM},
    {"TERM", SIGTERM},
    {"CHLD", SIGCHLD},
    {"CONT", SIGCONT},
    {"STOP", SIGSTOP},
    {"TSTP", SIGTSTP},
    {"TTIN", SIGTTIN},
    {"TTOU", SIGTTOU},
    {"URG", SIGURG},
    {"XCPU", SIGXCPU},
    {"XFSZ", SIGXFSZ},
    {"PROF", SIGPROF},
    {"SYS", SIGSYS},
    {"VTALRM", SIGVTALRM},
    {"WINCH", SIGWINCH},
    {"IO", SIGIO},
};

int pst_parse_signal(const char *text, int *sig)
{
  int64_t number;
  if (isdigit((unsigned char)*text)) {
    int err = pst_parse_int(text, &number);
    if (err) return err;
    if (number < 1 || number > SIGRTMAX) return PST_ERR_RANGE;
    return *sig = (int)number, PST_OK;
  }
  if (strncasecmp(text, "SIG", 3) == 0) text += 3;
  for (unsigned i = 0; i < sizeof signal_names / sizeof *signal_names; i++)
    if (strcasecmp(signal_names[i].name, text) == 0) return *sig = signal_names[i].sig, PST_OK;
  return PST_ERR_INVALID;
}

int pst_parse_signals(const char *text, sigset_t *set)
{
  sigset_t chosen;
  int truth = 0;
  sigemptyset(&chosen);
  if (strcmp(text, "*") == 0 || pst_parse_bool(text, &truth) == PST_OK) {
    if (*text == '*' || truth) sigfillset(&chosen);
    return *set = chosen, PST_OK;
  }
  for (const char *s = text;;) {
    char name[16];
    s = skip_blanks(s);
    size_t n = strcspn(s, ",");
    size_t used = n;
    while (used && isspace((unsigned char)s[used - 1])) used--;
    if (used == 0 || used >= sizeof name) return PST_ERR_INVALID;
    memcpy(name, s, used);
    name[used] = '\0';
    int sig;
    int err = pst_parse_signal(name, &sig);
    if (err) return err;
    sigaddset(&chosen, sig);
    if (s[n] == '\0') return *set = chosen, PST_OK;
    s += n + 1;
  }
}

static const struct pst_parse_field *field_find(
    const struct pst_parse_field *fields, unsigned count, const char *name, size_t n)
{
  for (unsigned i = 0; i < count; i++)
    if (strlen(fields[i].name) == n && memcmp(fields[i].name, name, n) == 0) return &fields[i];
  return NULL;
}

/* One "name=number" of n characters. */
static int parse_setting(const char *text, size_t n, const struct pst_parse_field *fields, unsigned count,
    const struct pst_parse_field **field, uint32_t *number)
{
  const char *equals = memchr(text, '=', n);
  const size_t digits = equals ? n - (size_t)(equals + 1 - text) : 0;
  char copy[32];
  int64_t value;
  if (!equals || digits >= sizeof copy) return PST_ERR_INVALID;
  if (!(*field = field_find(fields, count, text, (size_t)(equals - text)))) return PST_ERR_INVALID;
  memcpy(copy, equals + 1, digits);
  copy[digits] = '\0';
  if (pst_parse_int(copy, &value) != PST_OK) return PST_ERR_INVALID;
  if (value < (*field)->least || value > (*field)->most) return PST_ERR_RANGE;
  return *number = (uint32_t)value, PST_OK;
}

/* The first turn checks, the second one changes. */
int pst_parse_fields(const char *text, const struct pst_parse_field *fields, unsigned count, void *numbers)
{
  for (int changes = 0; changes <= 1; changes++)
    for (const char *s = text;; s++) {
      const struct pst_parse_field *field;
      uint32_t number;
      const size_t n = strcspn(s, ",");
      const int err = parse_setting(s, n, fields, count, &field, &number);
      if (err) return err;
      if (changes) *pst_parse_number(field, numbers) = number;
      s += n;
      if (!*s) break;
    }
  return PST_OK;
}
