/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/env.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/env_ofi.h"
#include "support/env_ucx.h"
#include "support/env_table.h"
#include "support/error.h"
#include "support/parse.h"
#include "support/viscost.h"

/* The largest job on one host that the launcher can look after (PST_MAX_LOCAL of core). */
#define MOST_NODES 1024

static int check_segsize(const char *text)
{
  uint64_t bytes;
  return pst_env_parse_segsize(text, UINT64_C(1) << 40, 1, &bytes);
}

static int check_signal(const char *text)
{
  int sig, err = pst_parse_signal(text, &sig);
  return err == PST_OK && (sig == SIGKILL || sig == SIGSTOP) ? PST_ERR_RANGE
                                                             : err; /* nobody can catch them */
}

static int check_signals(const char *text)
{
  sigset_t set;
  return pst_parse_signals(text, &set);
}

/* GASNet's own masks also have O, R, U and X, for what does not exist here: taken without effect. */
static int check_mask(const char *text)
{
  return text[strspn(text, "ABCDGHILNPSWORUX")] == '\0' ? PST_OK : PST_ERR_INVALID;
}

static int check_viscost(const char *text)
{
  struct pst_viscost ignored = {0};
  return pst_viscost_parse(text, &ignored);
}

#ifdef PST_FAULT_INJECTION
static int check_ofi_mr(const char *text)
{
  uint32_t ignored;
  return pst_ofi_mr_parse(text, &ignored);
}

static int check_ofi_without(const char *text)
{
  struct pst_ofi_without ignored;
  return pst_ofi_without_parse(text, &ignored);
}

static int check_ucx_without(const char *text)
{
  struct pst_ucx_without ignored;
  return pst_ucx_without_parse(text, &ignored);
}
#endif

#define STRING(dflt)          .type = PST_ENV_TYPE_STRING, .deflt = dflt
#define BOOL(dflt)            .type = PST_ENV_TYPE_BOOL, .deflt = dflt
#define INT(dflt, lo, hi)     .type = PST_ENV_TYPE_INT, .deflt = dflt, .min = lo, .max = hi
#define SECONDS(dflt, lo, hi) .type = PST_ENV_TYPE_SECONDS, .deflt = dflt, .min = lo, .max = hi
#define CHOICE(dflt, ...) \
  .type = PST_ENV_TYPE_CHOICE, .deflt = dflt, .words = (const char *const[]) { __VA_ARGS__, NULL }
#define SPECIAL(dflt, fn, text) .type = PST_ENV_TYPE_SPECIAL, .deflt = dflt, .check = fn, .legal = text
#define MASK_LEGAL              "letters from ABCDGHILNPSW"
#define VAR(x)                  [PST_ENV_##x] = {.name = "GASNET_" #x,

static const struct pst_env_entry table
    [PST_ENV_COUNT] = {VAR(CONDUIT) CHOICE("auto", "auto", "smp", "ofi", "ucx", "template"),
        .help = "How nodes talk to each other that do not share memory (see GASNET_SUPERNODE_MAXSIZE): smp, "
                "through memory all the "
                "same; ofi, by libfabric; ucx, by UCX; auto, by a network where the job has several hosts: "
                "by ucx where all have a device "
                "of InfiniBand's class, else by ofi where all have a native provider, else by what two hosts "
                "measure to be faster; template, "
                "over TCP, where configure was told to build this example for authors of conduits."},
    VAR(AM_ONLY) BOOL("no"),
    .help = "Build every operation from active messages instead of loads and stores; for testing."
}
, VAR(PSHM_NODES) INT("1", 1, MOST_NODES),
    .help = "How many nodes a program that was started without a launcher makes of itself."
}
, VAR(SUPERNODE_MAXSIZE) INT("0", 0, INT_MAX),
    .help = "The most nodes that reach each other's segments by load and store; 0 is all of a host, "
            "1 turns the shortcut off."
}
,
    VAR(MAX_SEGSIZE) SPECIAL("0.85/H", check_segsize,
        "a size such as 64M or 1.5G, or a fraction of the memory such as 0.5, optionally followed by /P (per "
        "process) or /H (per host)"),
    .help = "The largest segment that gasnet_attach may be asked for. Without /P or /H a size is per process "
            "and a fraction per host."
}
, VAR(USE_HUGEPAGES) BOOL("yes"),
    .help = "Put segments on huge pages where the host has reserved some; ordinary pages otherwise."
}
, VAR(MAX_THREADS) INT("256", 1, 65535),
    .help = "The most threads of a node that may be in the library at once."
}
, VAR(BARRIER) CHOICE("AUTO", "AUTO", "DISSEM", "AMDISSEM", "RDMADISSEM", "AMCENTRAL", "SHARED"),
    .help = "How barriers are made: AUTO and SHARED in shared memory; the others, names that GASNet users "
            "know, by "
            "dissemination over active messages."
}
, VAR(TMPDIR) STRING(NULL),
    .help = "A directory in whose file system shared memory is made, as files without a name; where unset, "
            "memory that "
            "belongs to no file system (memfd)."
}
, VAR(VERBOSEENV) BOOL("no"),
    .help = "Print every variable that is consulted, with its value and whether that is the default, and the "
            "names that begin with "
            "GASNET_ and are none of these."
}
, VAR(FREEZE) BOOL("no"), .help = "Each node stops in gasnet_init and waits for a debugger."
}
, VAR(FREEZE_ON_ERROR) BOOL("no"),
    .help = "A node that fails stops after its message and waits for a debugger."
}
,
    VAR(FREEZE_SIGNAL)
        SPECIAL(NULL, check_signal, "the name or number of a signal that can be caught, such as SIGUSR1"),
    .help = "A signal that makes a node stop and wait for a debugger."
}
, VAR(BACKTRACE) BOOL("no"), .help = "A node that fails prints its stack after the message."
}
,
    VAR(BACKTRACE_SIGNAL)
        SPECIAL(NULL, check_signal, "the name or number of a signal that can be caught, such as SIGUSR1"),
    .help = "A signal that makes a node print its stack and go on."
}
, VAR(CATCH_EXIT) BOOL("yes"),
    .help = "Leaving by exit() or by return from main ends the whole job, as gasnet_exit does."
}
,
    VAR(NO_CATCH_SIGNAL) SPECIAL(
        NULL, check_signals, "names or numbers of signals separated by commas, or * or 1 for all of them"),
    .help = "Signals that the library is not to catch."
}
, VAR(EXITTIMEOUT) SECONDS("2", 0, 86400),
    .help = "How long the other nodes have to end by themselves after one has left with code 0; after "
            "another code it is 0.3 s. Also how "
            "long a client's handler for SIGQUIT may take."
}
, VAR(TRACEFILE) STRING(NULL),
    .help = "Write a line for each event to this file. Each % in the name becomes the node's number; stderr "
            "and stdout are "
            "those streams; without % the nodes append to one file."
}
, VAR(TRACEMASK) SPECIAL(NULL, check_mask, MASK_LEGAL),
    .help = "Which events are traced; all where unset: G get, P put, S synchronisation, B barrier, L locks, "
            "A active messages, I information, C conduit, D data, N source lines, H the client's own, W "
            "collectives."
}
, VAR(STATSFILE) STRING(NULL),
    .help = "Write counts of the events to this file when the job ends; named as GASNET_TRACEFILE."
}
, VAR(STATSMASK) SPECIAL(NULL, check_mask, MASK_LEGAL),
    .help = "Which events are counted; letters as for GASNET_TRACEMASK, all where unset."
}
, VAR(SPAWN_VERBOSE) BOOL("no"), .help = "Tell what the launcher does, step by step."
}
, VAR(HOSTS) STRING(NULL),
    .help = "The hosts on which gasnetrun starts processes, as host1:4,host2:4 with the most processes for "
            "each; where unset, "
            "the one where it runs."
}
, VAR(RSH) STRING(NULL),
    .help = "The command by which gasnetrun reaches a host: COMMAND HOST program. Where unset, ssh without "
            "asking for passwords."
}
, VAR(SPAWN_TIMEOUT) SECONDS("30", 1, 86400),
    .help = "How long all hosts together may take to start their processes."
}
, VAR(SPAWN_INTERFACE) STRING(NULL),
    .help = "Network interfaces or addresses of the host where gasnetrun runs, by which the other hosts are "
            "to reach it, separated "
            "by commas; where unset, those that lead to them."
}
, VAR(PROGRESS_THREAD) BOOL("no"),
    .help = "Network conduits: a thread of the library moves the transfers that other nodes have with this "
            "one while its own threads "
            "compute. It runs no handlers."
}
, VAR(COALESCE) BOOL("yes"),
    .help = "Network conduits: small puts and gets with an implicit handle to one node travel together."
}
, VAR(ATOMICS) CHOICE("auto", "auto", "cpu", "network"),
    .help = "Who carries out atomic operations on words of 32 and 64 bits: cpu, the target's processor; "
            "network, the network's own, which "
            "takes that no two nodes share memory (one on each host, or GASNET_SUPERNODE_MAXSIZE=1) and that "
            "it has all of them; auto, "
            "the network where its devices have them."
}
, VAR(OFI_PROVIDER) STRING(NULL),
    .help = "Conduit ofi: the libfabric provider, such as net or tcp;ofi_rxm; unset, the first of "
            "libfabric's own order that "
            "spans the job's hosts and that all nodes have."
}
, VAR(OFI_DEVICE) STRING(NULL), .help = "Conduit ofi: the device, by libfabric's domain name, such as eth0."
}
, VAR(UCX_TLS) STRING(NULL),
    .help = "Conduit ucx: UCX's transports, such as tcp or rc,self; the same as UCX_TLS, and stronger."
}
, VAR(UCX_DEVICES) STRING(NULL),
    .help = "Conduit ucx: the network devices, such as eth0 or mlx5_0:1; the same as UCX_NET_DEVICES, and "
            "stronger."
}
, VAR(VIS_COST) SPECIAL(NULL, check_viscost, PST_VISCOST_LEGAL),
    .help =
        "Replaces constants by which vector, indexed and strided transfers to nodes that are not reached by "
        "load and "
        "store choose between packed messages and one transfer a piece; gasnet_info --vis-cost prints them."
}
, VAR(VIS_CPU) CHOICE("AUTO", "AUTO", "PORTABLE", "AVX2", "AVX512"),
    .help = "With which instructions strided transfers copy. AUTO, like one that the processor lacks, is the "
            "best that it has."
}
, VAR(GASP_TOOL) STRING(NULL),
    .help = "A performance tool for UPC and OpenSHMEM programs: a shared library with GASP's functions; see "
            "penstock_gasp(7)."
}
, VAR(GASP_OUTPUT) STRING(NULL),
    .help = "Where Penstock's own performance tools write: a file, or a directory."
}
#ifdef PST_FAULT_INJECTION
, VAR(OFI_MR) SPECIAL(NULL, check_ofi_mr, PST_OFI_MR_LEGAL),
    .help = "Conduit ofi: register memory as if the provider asked for these modes of libfabric, too; for "
            "testing."
}
, VAR(OFI_WITHOUT) SPECIAL(NULL, check_ofi_without, PST_OFI_WITHOUT_LEGAL),
    .help = "Conduit ofi: do without these abilities of the provider; for testing. room:N lets each N-th "
            "call find no room, size:N "
            "bounds the bytes of one transfer, queue:N the completions that may be outstanding."
}
, VAR(UCX_WITHOUT) SPECIAL(NULL, check_ucx_without, PST_UCX_WITHOUT_LEGAL),
    .help = "Conduit ucx: do without these abilities; for testing. direct: memory that UCX maps from a "
            "neighbour; bulk: large "
            "transfers by messages where UCX would cut them up; rma: all transfers but those; peer_errors: "
            "endpoints that report "
            "that their peer is gone. room:N lets each N-th call find no room."
}
#endif
,
}
;

const struct pst_env_entry *pst_env_entry(enum pst_env v) { return &table[v]; }

static const char *set_text(enum pst_env v)
{
  const char *text = getenv(table[v].name);
  return text && *text ? text : NULL;
}

const char *pst_env_text(enum pst_env v)
{
  const char *text = set_text(v);
  return text ? text : table[v].deflt;
}

int pst_env_is_set(enum pst_env v) { return set_text(v) != NULL; }

/* Choices come back as the table writes them, so that callers may use strcmp. */
static const char *find_word(const char *const *words, const char *text)
{
  for (; *words; words++)
    if (strcasecmp(*words, text) == 0) return *words;
  return NULL;
}

static int in_range(const struct pst_env_entry *e, double v)
{
  return v >= (double)e->min && v <= (double)e->max ? PST_OK : PST_ERR_RANGE;
}

int pst_env_valid(enum pst_env v, const char *text)
{
  const struct pst_env_entry *e = &table[v];
  int truth, err;
  int64_t number;
  uint64_t bytes;
  double real;
  switch (e->type) {
  case PST_ENV_TYPE_STRING: return PST_OK;
  case PST_ENV_TYPE_BOOL: return pst_parse_bool(text, &truth);
  case PST_ENV_TYPE_INT: return (err = pst_parse_int(text, &number)) ? err : in_range(e, (double)number);
  case PST_ENV_TYPE_SIZE: return (err = pst_parse_size(text, 1, &bytes)) ? err : in_range(e, (double)bytes);
  case PST_ENV_TYPE_SECONDS: return (err = pst_parse_seconds(text, &real)) ? err : in_range(e, real);
  case PST_ENV_TYPE_CHOICE: return find_word(e->words, text) ? PST_OK : PST_ERR_INVALID;
  case PST_ENV_TYPE_SPECIAL: return e->check(text);
  }
  return PST_ERR_INVALID;
}

/* The text in force, known to be valid; NULL when unset and without a default. */
static const char *valid_text(enum pst_env v)
{
  const char *text = pst_env_text(v);
  char legal[256];
  if (text && pst_env_valid(v, text) != PST_OK)
    pst_fatal(
        "%s=\"%s\" is not valid: it must be %s", table[v].name, text, pst_env_legal(v, legal, sizeof legal));
  return text;
}

int pst_env_try_bool(enum pst_env v, int *value)
{
  const char *text = pst_env_text(v);
  return text ? pst_parse_bool(text, value) : PST_ERR_INVALID;
}

const char *pst_env_string(enum pst_env v)
{
  const char *text = valid_text(v);
  return text && table[v].type == PST_ENV_TYPE_CHOICE ? find_word(table[v].words, text) : text;
}

int pst_env_bool(enum pst_env v)
{
  const char *text = valid_text(v);
  int truth = 0;
  if (text) pst_parse_bool(text, &truth);
  return truth;
}

int64_t pst_env_int(enum pst_env v)
{
  const char *text = valid_text(v);
  int64_t number = 0;
  uint64_t bytes = 0;
  if (!text) return 0;
  if (table[v].type != PST_ENV_TYPE_SIZE) pst_parse_int(text, &number);
  else if (pst_parse_size(text, 1, &bytes) == PST_OK) number = (int64_t)bytes;
  return number;
}

double pst_env_double(enum pst_env v)
{
  const char *text = valid_text(v);
  double seconds = 0;
  if (text) pst_parse_seconds(text, &seconds);
  return seconds;
}

uint64_t pst_env_segsize(enum pst_env v, uint64_t host_memory, unsigned host_processes)
{
  const char *text = valid_text(v);
  uint64_t bytes = 0;
  if (text) pst_env_parse_segsize(text, host_memory, host_processes, &bytes);
  return bytes;
}

/* A number with a decimal point and no unit, up to 1, is a fraction of the memory. */
static int parse_fraction(const char *text, double *fraction)
{
  double f;
  if (!strchr(text, '.') || pst_parse_double(text, &f) != PST_OK) return PST_ERR_INVALID;
  if (f < 0 || f > 1) return PST_ERR_INVALID;
  return *fraction = f, PST_OK;
}

int pst_env_parse_segsize(const char *text, uint64_t host_memory, unsigned host_processes, uint64_t *bytes)
{
  char number[64];
  const char *slash = strchr(text, '/');
  size_t n = slash ? (size_t)(slash - text) : strlen(text);
  if (n >= sizeof number || host_processes == 0) return PST_ERR_INVALID;
  memcpy(number, text, n);
  number[n] = '\0';
  int per_host = slash && strcasecmp(slash, "/H") == 0;
  if (slash && !per_host && strcasecmp(slash, "/P") != 0) return PST_ERR_INVALID;
  double fraction;
  uint64_t size;
  if (parse_fraction(number, &fraction) == PST_OK) {
    double part = (double)host_memory * fraction;
    size = part < (double)host_memory ? (uint64_t)part
                                      : host_memory; /* rounding may go up, even beyond 64 bits */
    if (!slash) per_host = 1;
  } else {
    int err = pst_parse_size(number, 1, &size);
    if (err) return err;
  }
  *bytes = per_host ? size / host_processes : size;
  return PST_OK;
}
