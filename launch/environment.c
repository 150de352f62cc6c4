/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/environment.h"

#include <string.h>

/* These name the user and places of this host, or belong to the session in which gasnetrun was started. */
static const char *const stay[] = {"HOSTNAME", "HOST", "HOME", "USER", "LOGNAME", "SHELL", "MAIL", "PWD",
    "OLDPWD", "SHLVL", "_", "DISPLAY", "XAUTHORITY", "TERM_SESSION_ID", "WINDOWID",
    "DBUS_SESSION_BUS_ADDRESS", "PENSTOCK_LAUNCH", "SSH_*", "XDG_SESSION_*", "XDG_RUNTIME_DIR"};
/* What GASNet, its conduits' libraries and this library's own parts read travels in any case. */
static const char *const always[] = {"GASNET_*", "PENSTOCK_*", "FI_*", "UCX_*"};

/* `pattern` may end in a star. */
static int matches(const char *name, size_t n, const char *pattern)
{
  const size_t p = strlen(pattern);
  if (pattern[p - 1] == '*') return n >= p - 1 && memcmp(name, pattern, p - 1) == 0;
  return n == p && memcmp(name, pattern, n) == 0;
}

static int in_table(const char *name, size_t n, const char *const *table, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (matches(name, n, table[i])) return 1;
  return 0;
}

static int in_list(const char *name, size_t n, const char *list)
{
  for (;; list++) {
    const size_t part = strcspn(list, ",");
    if (part == n && memcmp(list, name, n) == 0) return 1;
    list += part;
    if (!*list) return 0;
  }
}

int environment_travels(const char *text, const char *export, char *const *set)
{
  const size_t n = strcspn(text, "=");
  if (n == 0 || !text[n]) return 0;
  for (; set && *set; set++)
    if (strlen(*set) == n && memcmp(*set, text, n) == 0) return 1;
  if (strcmp(export, "all") != 0 && in_list(text, n, export)) return 1;
  if (in_table(text, n, stay, sizeof stay / sizeof *stay)) return 0;
  return strcmp(export, "all") == 0 || in_table(text, n, always, sizeof always / sizeof *always);
}
