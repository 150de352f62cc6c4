/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The end of a job: where the parts and the output are, which thread merges, and what the others wait for. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gasp/tools/common.h"

#define LONGEST_MERGE 600.0 /* seconds */

/* What tells jobs apart: gasnetrun's variable, which is not for users, that of another launcher, or, without
 * a launcher, the nodes' parent. */
static void job_mark(char *out, size_t size)
{
  static const char *const marks[] = {"PENSTOCK_GASP_JOB", "PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID"};
  const char *mark = NULL;
  for (unsigned i = 0; i < sizeof marks / sizeof *marks && !(mark && *mark); i++) mark = getenv(marks[i]);
  const char *step = getenv("SLURM_STEP_ID");
  if (mark && *mark) snprintf(out, size, "%.100s%s%.20s", mark, step ? "." : "", step ? step : "");
  else snprintf(out, size, "%ld", (long)getppid());
  for (char *c = out; *c; c++)
    if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", *c)) *c = '_';
}

static int is_directory(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

__attribute__((format(printf, 1, 2))) static char *text_make(const char *format, ...)
{
  char *out = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&out, format, args) < 0) pst_tool_fatal("out of memory");
  va_end(args);
  return out;
}

/* If a directory is given and the output is a file, the file goes into it. Slashes at the end are dropped. */
static char *output_path(void)
{
  const char *given = getenv("GASNET_GASP_OUTPUT");
  size_t n;
  if (!given || !*given) return pst_tool.output ? text_make("%s", pst_tool.output) : NULL;
  for (n = strlen(given); n > 1 && given[n - 1] == '/'; n--) continue;
  if (pst_tool.inside && is_directory(given)) return text_make("%.*s/%s", (int)n, given, pst_tool.inside);
  return text_make("%.*s", (int)n, given);
}

char *pst_tool_part_path(const struct pst_tool_paths *paths, unsigned thread, int finished)
{
  return text_make("%s/%u%s", paths->directory, thread, finished ? "" : ".unfinished");
}

/* A program may change its directory later. */
static char *absolute(char *path)
{
  char here[PATH_MAX];
  if (!path || *path == '/' || !getcwd(here, sizeof here)) return path;
  char *full = text_make("%s/%s", here, path);
  free(path);
  return full;
}

/* A file that tells the job's threads something by its existence. */
static char *mark_path(const struct pst_tool_paths *paths, const char *mark)
{
  return text_make("%s/%s", paths->directory, mark);
}

static void remove_mark(const struct pst_tool_paths *paths, const char *mark)
{
  char *path = mark_path(paths, mark);
  unlink(path);
  free(path);
}

/* Removes a part and marks that a killed job may have left: they are not this job's. */
void pst_tool_paths_make(struct pst_tool_paths *paths, unsigned thread)
{
  char mark[160];
  struct stat st;
  job_mark(mark, sizeof mark);
  paths->output = absolute(output_path());
  paths->directory = paths->output ? text_make("%s.parts-%s", paths->output, mark)
                                   : absolute(text_make("penstock-%s.parts-%s", pst_tool.name, mark));
  if (mkdir(paths->directory, 0700) != 0 && errno != EEXIST)
    pst_tool_fatal("cannot make the directory %s: %m; GASNET_GASP_OUTPUT says where the output is to be",
        paths->directory);
  if (lstat(paths->directory, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
    pst_tool_fatal("%s is no directory of this user's", paths->directory);
  paths->part = pst_tool_part_path(paths, thread, 1);
  paths->unfinished = pst_tool_part_path(paths, thread, 0);
  unlink(paths->part);
  if (thread > 0) return;
  remove_mark(paths, "merging");
  remove_mark(paths, "failed");
}

/* ---- waiting ---- */

static int exists(const char *path)
{
  struct stat st;
  return lstat(path, &st) == 0;
}

static int part_is_there(const struct pst_tool_paths *paths, unsigned thread)
{
  char *path = pst_tool_part_path(paths, thread, 1);
  const int there = exists(path);
  free(path);
  return there;
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); }

static uint64_t deadline(double seconds) { return pst_tool_now() + (uint64_t)(seconds * 1e9); }

static void wait_for_parts(const struct pst_tool_paths *paths, unsigned threads, double seconds)
{
  const uint64_t until = deadline(seconds);
  for (unsigned i = 0; i < threads; i++)
    while (!part_is_there(paths, i) && pst_tool_now() < until) nap();
}

/* The thread that merges removes the parts, this process's too. The directory may stay: other files may be in
 * it. */
static int is_merged(const struct pst_tool_paths *paths)
{
  return !exists(paths->part) && !exists(paths->unfinished);
}

/* A thread that returns from here leaves the job, and then the others may have little time: it also waits
 * until the last parts and the directory are removed. */
static void wait_for_merge(const struct pst_tool_paths *paths, double seconds)
{
  const uint64_t until = deadline(seconds);
  char *failed = mark_path(paths, "failed");
  while (!is_merged(paths) && !exists(failed) && pst_tool_now() < until) nap();
  const uint64_t soon = deadline(1);
  while (is_merged(paths) && exists(paths->directory) && pst_tool_now() < soon) nap();
  free(failed);
}

/* ---- merging ---- */

static unsigned open_parts(const struct pst_tool_paths *paths, struct pst_part *parts, unsigned threads)
{
  unsigned missing = 0;
  for (unsigned i = 0; i < threads; i++) {
    char *whole = pst_tool_part_path(paths, i, 1), *some = pst_tool_part_path(paths, i, 0);
    parts[i].missing = pst_part_open(&parts[i], whole, pst_tool.name, i, threads) != 0 &&
        pst_part_open(&parts[i], some, pst_tool.name, i, threads) != 0;
    missing += parts[i].missing != 0;
    free(whole);
    free(some);
  }
  return missing;
}

static void report_missing(
    const struct pst_tool_paths *paths, const struct pst_part *parts, unsigned threads, unsigned missing)
{
  char list[256];
  size_t n = 0;
  for (unsigned i = 0; i < threads; i++) {
    if (!parts[i].missing || n + 16 > sizeof list) continue;
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%u", n ? ", " : "", i);
  }
  pst_tool_say(
      "the output lacks %u of %u threads (%s%s): %s has no parts of theirs; do all hosts see that directory? "
      "GASNET_GASP_OUTPUT says where it is",
      missing, threads, list, n + 16 > sizeof list ? ", ..." : "", paths->directory);
}

static void remove_parts(const struct pst_tool_paths *paths, unsigned threads)
{
  for (unsigned i = 0; i < threads; i++)
    for (int finished = 0; finished < 2; finished++) {
      char *path = pst_tool_part_path(paths, i, finished);
      unlink(path);
      free(path);
    }
  remove_mark(paths, "merging");
  rmdir(paths->directory);
}

/* 0, or an error number: EEXIST if the mark exists. */
static int make_mark(const struct pst_tool_paths *paths, const char *mark)
{
  char *path = mark_path(paths, mark);
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), error = fd < 0 ? errno : 0;
  free(path);
  if (fd >= 0) close(fd);
  return error;
}

/* Parts that could not be merged stay: nothing else holds their data. The mark ends the others' waiting. */
static void give_up(const struct pst_tool_paths *paths)
{
  make_mark(paths, "failed");
  pst_tool_say("the parts stay in %s", paths->directory);
}

static unsigned count_unfinished(const struct pst_tool_paths *paths, unsigned threads)
{
  unsigned n = 0;
  for (unsigned i = 0; i < threads; i++) n += !part_is_there(paths, i);
  return n;
}

static void parts_merge(const struct pst_tool_paths *paths, unsigned threads, enum pst_tool_end end)
{
  struct pst_part *parts = pst_tool_grow(NULL, threads, sizeof *parts);
  const unsigned missing = open_parts(paths, parts, threads);
  if (missing) report_missing(paths, parts, threads, missing);
  const unsigned unfinished = count_unfinished(paths, threads);
  if (unfinished > missing)
    pst_tool_say("%u of %u threads had not ended%s: the output lacks what they had not written yet",
        unfinished - missing, threads, end == PST_END_ALONE ? " when one ended the job" : "");
  const int failed = pst_tool.merge(parts, threads, paths->output);
  for (unsigned i = 0; i < threads; i++) pst_part_done(&parts[i]);
  free(parts);
  if (!failed) {
    remove_parts(paths, threads);
    return;
  }
  give_up(paths);
  remove_mark(paths, "merging");
}

/* If the mark exists, another thread that ended alone merges. It gets the time that it needs, for the first
 * thread to return ends the job. Where all end together there is no such thread. */
static void leave_to_another(const struct pst_tool_paths *paths, enum pst_tool_end end, int error)
{
  if (is_merged(paths)) return;
  if (error == EEXIST && end != PST_END_TOGETHER) {
    wait_for_merge(paths, LONGEST_MERGE);
    if (end != PST_END_ALONE && !is_merged(paths))
      pst_tool_say("another thread merges, and has not come to an end");
    return;
  }
  pst_tool_say("cannot merge: cannot make %s/merging: %s", paths->directory, strerror(error));
  give_up(paths);
}

void pst_tool_end(
    const struct pst_tool_paths *paths, unsigned thread, unsigned threads, enum pst_tool_end end)
{
  static const double for_parts[] = {30, 0.2, 5};
  if (is_merged(paths)) return;
  if (thread > 0 && end != PST_END_ALONE) {
    wait_for_merge(paths, end == PST_END_PROCESS ? 5 : LONGEST_MERGE);
    return;
  }
  wait_for_parts(paths, threads, for_parts[end]);
  const int error = make_mark(paths, "merging");
  if (error) leave_to_another(paths, end, error);
  else parts_merge(paths, threads, end);
}
