/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <arpa/inet.h>
#include <ctype.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gasnet_tools.h"
#include "tools/gasnet_info_out.h"

/* ---- reports without names: a report may go to strangers, and names of the host and of the user, the home
 * directory and addresses are not theirs to know ---- */

enum { LONGEST_NAME = 256, LEAST_NAME = 3, WORDS = 4 };

static struct {
  char text[LONGEST_NAME];
  const char *instead;
} words[WORDS];
static int known;

/* Longer ones first: the home directory has the user's name in it. A name of one or two letters is part of
 * too much. */
static void words_add(const char *text, const char *instead)
{
  if (!text || strlen(text) < LEAST_NAME || strlen(text) >= LONGEST_NAME || strcmp(text, "localhost") == 0)
    return;
  strcpy(words[known].text, text);
  words[known++].instead = instead;
}

static void words_learn(void)
{
  char host[LONGEST_NAME];
  const struct passwd *user = getpwuid(geteuid());
  const char *home = getenv("HOME");
  snprintf(host, sizeof host, "%s", gasnett_gethostname());
  if (home && home[0] == '/' && home[1]) words_add(home, "~");
  words_add(host, "(host)");
  host[strcspn(host, ".")] = '\0';
  words_add(host, "(host)");
  if (user && geteuid() != 0) words_add(user->pw_name, "(user)");
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Bytes of a known word that begins here. */
static size_t word_match(const char *at, const char **instead)
{
  for (int i = 0; i < known; i++) {
    const size_t n = strlen(words[i].text);
    if (strncmp(at, words[i].text, n) != 0 || is_word(at[n])) continue;
    *instead = words[i].instead;
    return n;
  }
  return 0;
}

static int is_hardware_address(const char *word)
{
  size_t pairs = 1;
  for (; isxdigit((unsigned char)word[0]) && isxdigit((unsigned char)word[1]) && word[2] == ':'; word += 3)
    pairs++;
  return pairs >= 6 && isxdigit((unsigned char)word[0]) && isxdigit((unsigned char)word[1]) && !word[2];
}

static int is_address(const char *word)
{
  char any[16];
  return inet_pton(AF_INET, word, any) == 1 || inet_pton(AF_INET6, word, any) == 1 ||
      is_hardware_address(word);
}

/* Bytes of an address of version 4 or 6, or of a network card's, that begins here; a port may follow. */
static size_t address_match(const char *at)
{
  char word[64], *colon;
  size_t n = strspn(at, "0123456789abcdefABCDEF:.");
  while (n && at[n - 1] == '.') n--; /* the end of a sentence */
  if (n < LEAST_NAME || n >= sizeof word || is_word(at[n])) return 0;
  memcpy(word, at, n);
  for (word[n] = '\0'; !is_address(word); *colon = '\0')
    if (!(colon = strrchr(word, ':'))) return 0;
  return strlen(word);
}

/* The text without these, into `to`. */
static void info_redact(const char *text, char *to, size_t size)
{
  size_t used = 0;
  char before = ' ';
  if (!known) words_learn();
  while (*text && used + 1 < size) {
    const char *instead = "(address)";
    size_t n = is_word(before) ? 0 : word_match(text, &instead);
    if (!n && !is_word(before) && before != '.') n = address_match(text);
    if (n) used += (size_t)snprintf(to + used, size - used, "%s", instead);
    else to[used++] = *text;
    if (used >= size) used = size - 1;
    text += n ? n : 1;
    before = text[-1];
  }
  to[used] = '\0';
}

/* ---- facts ---- */

enum { WIDTH = 26, DEEPEST = 4, LONGEST = 4096 };

static struct {
  FILE *to;
  enum info_form form;
  int names;
  int depth;             /* 1: in a section, 2: in a group */
  int full[DEEPEST + 3]; /* JSON: the object or list at that depth has a member */
  char list[64];         /* that is open; "": none */
  int in_item, facts;    /* facts: of the item */
} out;

int info_shows_names(void) { return out.names; }

FILE *info_divert(FILE *to, int follows)
{
  FILE *before = out.to;
  out.to = to;
  out.full[out.depth] = follows;
  return before;
}

/* ---- words ---- */

/* Bytes of the UTF-8 character that begins here; 0: it is none. */
static int utf8_length(const unsigned char *p)
{
  const int n = *p < 0x80                 ? 1
      : (*p & 0xe0) == 0xc0 && *p >= 0xc2 ? 2
      : (*p & 0xf0) == 0xe0               ? 3
      : (*p & 0xf8) == 0xf0 && *p <= 0xf4 ? 4
                                          : 0;
  for (int i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  return n;
}

static void put_json(const char *text)
{
  const unsigned char *p = (const unsigned char *)text;
  putc('"', out.to);
  while (*p) {
    const int n = utf8_length(p);
    if (n == 0) fputs("\\ufffd", out.to);
    else if (*p == '"' || *p == '\\') fprintf(out.to, "\\%c", *p);
    else if (*p < 0x20 || *p == 0x7f) fprintf(out.to, "\\u%04x", *p);
    else fwrite(p, 1, (size_t)n, out.to);
    p += n ? n : 1;
  }
  putc('"', out.to);
}

/* Names are words for people: "message arguments" is message_arguments in JSON. */
static void put_key(const char *name)
{
  char key[64];
  size_t n = 0;
  for (; *name && n < sizeof key - 1; name++) {
    if (isalnum((unsigned char)*name)) key[n++] = *name;
    else if (n && key[n - 1] != '_' && name[1]) key[n++] = '_';
  }
  key[n] = '\0';
  put_json(key);
}

/* A value of the environment may hold anything, and a terminal obeys control characters. */
static void put_text(const char *text)
{
  for (; *text; text++) putc(iscntrl((unsigned char)*text) ? '?' : *text, out.to);
}

/* ---- structure ---- */

static void json_next(void)
{
  const int level = out.depth + (out.list[0] != 0) + out.in_item;
  fprintf(out.to, "%s\n%*s", out.full[level] ? "," : "", 2 * (level + 1), "");
  out.full[level] = 1;
}

static void json_open(const char *name, char bracket)
{
  json_next();
  if (name) put_key(name), fputs(": ", out.to);
  putc(bracket, out.to);
}

static void json_close(char bracket)
{
  const int level = out.depth + (out.list[0] != 0) + out.in_item;
  if (out.full[level]) fprintf(out.to, "\n%*s", 2 * level, "");
  putc(bracket, out.to);
  out.full[level] = 0;
}

static void end_item(void)
{
  if (!out.in_item) return;
  if (out.form == INFO_JSON) json_close('}');
  else putc('\n', out.to);
  out.in_item = out.facts = 0;
}

static void end_list(void)
{
  end_item();
  if (out.list[0] && out.form == INFO_JSON) json_close(']');
  out.list[0] = '\0';
}

void info_item(const char *list, const char *name)
{
  if (!list || strcmp(list, out.list) != 0) end_list();
  else end_item();
  if (!list) return;
  if (out.form == INFO_TEXT) {
    fprintf(out.to, "%*s%-*s ", 2 * out.depth, "", WIDTH - 2 * out.depth, list);
    put_text(name);
  } else if (!out.list[0]) {
    json_open(list, '[');
  }
  snprintf(out.list, sizeof out.list, "%s", list);
  if (out.form == INFO_JSON) json_open(NULL, '{');
  out.in_item = 1;
  if (out.form == INFO_JSON) json_next(), fputs("\"name\": ", out.to), put_json(name);
}

void info_group_end(void)
{
  end_list();
  if (out.depth < 2) return;
  if (out.form == INFO_JSON) json_close('}');
  out.depth = 1;
}

static void end_section(void)
{
  info_group_end();
  if (out.depth == 1 && out.form == INFO_JSON) json_close('}');
  out.depth = 0;
}

void info_section(const char *name)
{
  end_section();
  if (out.form == INFO_JSON) json_open(name, '{');
  else fprintf(out.to, "\n%s\n", name);
  out.depth = 1;
}

void info_group(const char *name)
{
  info_group_end();
  if (out.form == INFO_JSON) json_open(name, '{');
  else fprintf(out.to, "  %s\n", name);
  out.depth = 2;
}

void info_begin(enum info_form form, int names)
{
  memset(&out, 0, sizeof out);
  out.to = stdout;
  out.form = form;
  out.names = names;
  if (form == INFO_JSON) putc('{', out.to);
}

void info_end(void)
{
  end_section();
  if (out.form == INFO_JSON) json_close('}'), putc('\n', out.to);
}

void info_insert(const char *text)
{
  if (!*text) return;
  fputs(text, out.to);
  out.full[out.depth] = 1;
}

/* ---- facts ---- */

static void begin_fact(const char *name)
{
  if (out.form == INFO_JSON) json_next(), put_key(name), fputs(": ", out.to);
  else if (out.in_item) fprintf(out.to, "%s%s ", out.facts++ ? ", " : ": ", name);
  else fprintf(out.to, "%*s%-*s ", 2 * out.depth, "", WIDTH - 2 * out.depth, name);
}

static void end_fact(void)
{
  if (out.form == INFO_TEXT && !out.in_item) putc('\n', out.to);
}

void info_fact(const char *name, const char *format, ...)
{
  char text[LONGEST], shown[LONGEST];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (out.names) snprintf(shown, sizeof shown, "%s", text);
  else info_redact(text, shown, sizeof shown);
  begin_fact(name);
  if (out.form == INFO_JSON) put_json(shown);
  else put_text(shown);
  end_fact();
}

void info_count(const char *name, int64_t value)
{
  begin_fact(name);
  fprintf(out.to, "%lld", (long long)value);
  end_fact();
}

const char *info_bytes(uint64_t bytes, char text[INFO_BYTES])
{
  static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  int u = 0;
  uint64_t unit = 1;
  for (; u < 6 && bytes / unit >= 1024; u++) unit *= 1024;
  if (bytes == UINT64_MAX) snprintf(text, INFO_BYTES, "unlimited");
  else if (bytes % unit == 0)
    snprintf(text, INFO_BYTES, "%llu %s", (unsigned long long)(bytes / unit), units[u]);
  else snprintf(text, INFO_BYTES, "%.1f %s", (double)bytes / (double)unit, units[u]);
  return text;
}

void info_size(const char *name, uint64_t bytes)
{
  char text[INFO_BYTES];
  begin_fact(name);
  if (out.form == INFO_TEXT) fputs(info_bytes(bytes, text), out.to);
  else if (bytes == UINT64_MAX) fputs("null", out.to);
  else fprintf(out.to, "%llu", (unsigned long long)bytes);
  end_fact();
}

void info_flag(const char *name, int yes, const char *why_not)
{
  if (out.form == INFO_TEXT) {
    info_fact(
        name, "%s%s%s", yes ? "yes" : "no", !yes && why_not ? ": " : "", !yes && why_not ? why_not : "");
    return;
  }
  begin_fact(name);
  fputs(yes ? "true" : "false", out.to);
  if (!yes && why_not) info_fact("why not", "%s", why_not);
}
