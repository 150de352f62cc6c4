/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* stop, error stop, fail image. stop is normal: the image waits until all others have come to their end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caf/tool.h"

static void image_stop(int code) __attribute__((noreturn));
static void image_stop(int code)
{
  pst_caf_need_open();
  pst_caf_leave();
  exit(code);
}

void _gfortran_caf_stop_numeric(int code, bool quiet)
{
  pst_caf_told_stop(__builtin_return_address(0), code);
  if (!quiet) fprintf(stderr, "STOP %d\n", code);
  image_stop(code);
}

/* The text may have bytes of 0. It is written at once, so that those of several images do not mix. */
static void text_print(const char *what, const char *text, size_t length)
{
  const size_t before = strlen(what);
  char *const line = pst_caf_own_take(before + 1 + length + 1), *end = line;
  end = mempcpy(end, what, before);
  if (text) {
    *end++ = ' ';
    end = mempcpy(end, text, length);
  }
  *end++ = '\n';
  fwrite(line, 1, (size_t)(end - line), stderr);
  free(line);
}

void _gfortran_caf_stop_str(const char *text, size_t length, bool quiet)
{
  pst_caf_told_stop(__builtin_return_address(0), 0);
  if (!quiet && text) text_print("STOP", text, length);
  image_stop(0);
}

static void job_stop(const void *from, int code) __attribute__((noreturn));
static void job_stop(const void *from, int code)
{
  pst_caf_need_open();
  pst_caf_flush();
  pst_caf_told_error_stop(from, code);
  gasnet_exit(code);
}

void _gfortran_caf_error_stop(int code, bool quiet)
{
  if (!quiet) fprintf(stderr, "ERROR STOP %d\n", code);
  job_stop(__builtin_return_address(0), code);
}

void _gfortran_caf_error_stop_str(const char *text, size_t length, bool quiet)
{
  if (!quiet) text_print("ERROR STOP", text, length);
  job_stop(__builtin_return_address(0), 1);
}

void _gfortran_caf_fail_image(void)
{
  pst_caf_need_open();
  if (!pst_caf_job.losses)
    pst_caf_fatal("fail image", "this ends the job; with CAF_FAILED_IMAGES=1 the other images go on");
  pst_caf_flush();
  pst_front_put_complete();
  gasnet_wait_syncnbi_all();
  gasnetx_node_fail();
}
