/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A report may go to strangers: names of the host and of the user, the home directory and addresses are not
 * theirs to know. */
#include <arpa/inet.h>
#include <ctype.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gasnet_tools.h"
#include "tools/gasnet_info_out.h"

enum { LONGEST_NAME = 256, LEAST_NAME = 3, WORDS = 4 };

static struct {
  char text[LONGEST_NAME];
  const char *instead;
} words[WORDS];
static int known;

/* Longer ones first: the home directory has the user's name in it. A name of one or two letters is part of
 * too much. */
static void know(const char *text, const char *instead)
{
  if (!text || strlen(text) < LEAST_NAME || strlen(text) >= LONGEST_NAME || strcmp(text, "localhost") == 0)
    return;
  strcpy(words[known].text, text);
  words[known++].instead = instead;
}

static void learn(void)
{
  char host[LONGEST_NAME];
  const struct passwd *user = getpwuid(geteuid());
  const char *home = getenv("HOME");
  snprintf(host, sizeof host, "%s", gasnett_gethostname());
  if (home && home[0] == '/' && home[1]) know(home, "~");
  know(host, "(host)");
  host[strcspn(host, ".")] = '\0';
  know(host, "(host)");
  if (user && geteuid() != 0) know(user->pw_name, "(user)");
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Bytes of a known word that begins here. */
static size_t match(const char *at, const char **instead)
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
static size_t match_address(const char *at)
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

void info_redact(const char *text, char *to, size_t size)
{
  size_t used = 0;
  char before = ' ';
  if (!known) learn();
  while (*text && used + 1 < size) {
    const char *instead = "(address)";
    size_t n = is_word(before) ? 0 : match(text, &instead);
    if (!n && !is_word(before) && before != '.') n = match_address(text);
    if (n) used += (size_t)snprintf(to + used, size - used, "%s", instead);
    else to[used++] = *text;
    if (used >= size) used = size - 1;
    text += n ? n : 1;
    before = text[-1];
  }
  to[used] = '\0';
}
