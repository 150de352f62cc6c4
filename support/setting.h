/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Settings that a library takes from the environment. Those that the user has not set are set while the
 * library reads them; then the client's environment is as it was. */
#ifndef SUPPORT_SETTING_H
#define SUPPORT_SETTING_H
#include <stdlib.h>

struct pst_setting {
  const char *name, *value;
  int ours; /* it is set, and not by the user */
};

static inline void pst_settings_set(struct pst_setting *s, unsigned n)
{
  for (; n > 0; n--, s++) s->ours = !getenv(s->name) && setenv(s->name, s->value, 1) == 0;
}

static inline void pst_settings_unset(struct pst_setting *s, unsigned n)
{
  for (; n > 0; n--, s++) {
    if (s->ours) unsetenv(s->name);
    s->ours = 0;
  }
}

#endif
