/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which environment variables travel to other hosts. */
#ifndef LAUNCH_ENVIRONMENT_H
#define LAUNCH_ENVIRONMENT_H

/* `text` is "NAME=VALUE" of this process's environment, `export` what --export says, `set` the names that -E
 * has set. */
int environment_travels(const char *text, const char *export, char *const *set);

#endif
