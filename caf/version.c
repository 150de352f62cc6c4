/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/version.h"

#include "caf/team.h"

#if !defined(PST_CAF_GFORTRAN)
#define PST_CAF_GFORTRAN 12
#endif

/* Defined when the program is linked: their addresses are not 0. */
extern const char pst_caf_gfortran_9 __attribute__((weak)), pst_caf_gfortran_16 __attribute__((weak));

static enum { UNSEEN, EARLIER, SIXTEEN } version;
static int assumed;

int pst_caf_version_is_16(void)
{
  if (version == UNSEEN) {
    if (&pst_caf_gfortran_16) version = SIXTEEN;
    else if (&pst_caf_gfortran_9) version = EARLIER;
    else version = PST_CAF_GFORTRAN >= 16 ? SIXTEEN : EARLIER;
  }
  return version == SIXTEEN;
}

void pst_caf_version_assumed(void) { assumed = 1; }

void pst_caf_version_seen(const char *call, int is_16)
{
  static const char *const names[] = {"9 to 15", "16"};
  if (is_16 == pst_caf_version_is_16()) return;
  if (assumed)
    pst_caf_fatal(call,
        "gfortran %s has compiled the program, which was linked for gfortran %s: link it by caf, or with "
        "-Wl,--defsym=pst_caf_gfortran_%d=1",
        names[is_16], names[!is_16], is_16 ? 16 : 9);
  version = is_16 ? SIXTEEN : EARLIER;
}

/* gfortran 16 passes the team, earlier ones the address of the variable: what is no team must not be read as
 * an address where 16 is expected. */
struct pst_caf_team *pst_caf_version_team(struct pst_caf_status *status, void *team)
{
  if (pst_caf_team_exists(team)) {
    pst_caf_version_seen(status->call, 1);
    return team;
  }
  if (pst_caf_version_is_16())
    pst_caf_fatal(status->call,
        "the variable has no team; or gfortran 9 to 15 has compiled the program, which was linked for "
        "gfortran "
        "16: link it by caf, or with -Wl,--defsym=pst_caf_gfortran_9=1");
  struct pst_caf_team *const t = team ? *(struct pst_caf_team **)team : NULL;
  if (!pst_caf_team_exists(t)) pst_caf_fatal(status->call, "the variable has no team");
  status->stat = NULL;
  status->errmsg = NULL;
  return t;
}
