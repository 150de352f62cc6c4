/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the processes of one host and their supervisor share about the job's life: the first
 * bytes of the control memory. All fields but the constants are written with atomics. */
#ifndef BOOTSTRAP_JOBSTATE_H
#define BOOTSTRAP_JOBSTATE_H
#include <stdatomic.h>
#include <stdint.h>

#define PST_JOBSTATE_MAGIC 0x50454e53544f434bull /* "PENSTOCK" */
#define PST_MAX_LOCAL      1024                  /* processes of one host */
#define PST_MAX_HOSTS      4096
#define PST_CORE_WORDS     16 /* of 64 cores */

/* The place of a host in the job. Its nodes are consecutive. */
struct pst_part {
  uint32_t first; /* node of the job that is this host's first */
  uint32_t local; /* processes on this host */
  uint32_t nodes; /* processes in the job */
  uint32_t host, hosts;
};

/* One per process. `leaving` is 0 while it runs, else PST_LEAVING | (exit code & 255): set by the first of
 * gasnet_exit, exit, return from main or a fatal error, before the process ends. */
#define PST_LEAVING      0x100u
#define PST_LEAVING_TOLD 0x200u /* a fatal message was printed already: the supervisor need not explain */
/* Only where no supervisor waits for its end: it has nothing left to do; it has ended without a word. */
#define PST_LEAVING_READY 0x400u
#define PST_LEAVING_DEAD  0x800u
#define PST_LEAVING_LOST  0x1000u /* it takes no part any more: a loss, where losses are reported */
struct pst_jobnode {
  _Atomic int32_t pid;     /* 0 until the process has joined */
  _Atomic uint32_t joined; /* a place in a job is taken once */
  _Atomic uint32_t leaving;
  _Atomic uint32_t cleaning; /* the client's handler for SIGQUIT runs; it may take GASNET_EXITTIMEOUT */
};

struct pst_jobstate {
  uint64_t magic;
  uint32_t version;
  struct pst_part part;
  int32_t bell; /* descriptor by which the host's first process wakes the supervisor; -1 on a single host */
  _Atomic uint32_t ending; /* the supervisor has begun to end the job */
  _Atomic uint32_t first;  /* 1 + the process that first announced a code other than 0; 0: none has */
  /* The nodes want to be told of losses: each of this host sets it (release) when all have attached. */
  _Atomic uint32_t reports;
  _Atomic uint32_t losses;                /* how many are in the list: losses.h */
  _Atomic uint64_t cores[PST_CORE_WORDS]; /* a bit for each core of any of the processes: boot.c */
  struct pst_jobnode node[PST_MAX_LOCAL]; /* the processes of this host */
};
#endif
