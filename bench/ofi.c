/* The ofi conduit against a bare libfabric program: what bench/ofi has of its own. */
#include "net.h"
#include "raw.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
  "usage: ofi [options]    starts the jobs of two processes that it needs, over the network conduit\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put_*', 'am_*,start_64'\n"
  "  --provider NAME[,...] libfabric's providers (net or tcp, tcp;ofi_rxm and shm, those that are here)\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (11)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

#define LATENCY(key, what, against, bound, ...) {{key, what, against, BENCH_US, 0, BENCH_TIME_AT_MOST, bound}, NET_MAIN, {__VA_ARGS__}, NULL}
#define BULK(key, what, against, bytes, series) \
  {{key, what, against, BENCH_GBS, bytes, BENCH_RATE_AT_LEAST, 0.95}, NET_MAIN, {series}, NULL}
#define RATE(key, what, against, bound, group, series) \
  {{key, what, against, BENCH_MSGS, 0, BENCH_RATE_AT_LEAST, bound}, group, {series}, NULL}
#define FACE(key, what, bound) \
  {{key, what, "one contiguous fi_write of the same 128 KiB", BENCH_US, 0, BENCH_RATE_AT_LEAST, bound}, NET_MAIN, {net_write_face}, NULL}
#define LIST(key, what, kind) \
  {{key, what, "one contiguous fi_write of the same, each", BENCH_NS, 0, kind, 8}, NET_MAIN, {net_write_list}, NULL}
#define WRITE "fi_write with FI_DELIVERY_COMPLETE"
#define SEND "the better of fi_inject and fi_send, there and back"

/* In the order in which they are shown. */
static const struct net_row rows[] = {
  LATENCY("put_8", "put of 8 bytes", WRITE, 1.15, net_write_words),
  LATENCY("get_8", "get of 8 bytes", "fi_read", 1.15, net_read_words),
  LATENCY("put_lone", "one put_nbi of 8 bytes and its sync", WRITE, 1.15, net_write_words),
  LATENCY("am_short", "short request and reply", SEND, 1.25, net_pass_short, net_pass_short_2),
  LATENCY("am_medium", "medium request and reply of 512 bytes", SEND, 1.25, net_pass_medium, net_pass_medium_2),
  BULK("put_64K", "put of 64 KiB, 32 in flight", WRITE, 64 << 10, net_write_large),
  BULK("get_64K", "get of 64 KiB, 32 in flight", "fi_read", 64 << 10, net_read_large),
  BULK("put_1M", "put of 1 MiB, 8 in flight", WRITE, 1 << 20, net_write_large),
  BULK("get_1M", "get of 1 MiB, 8 in flight", "fi_read", 1 << 20, net_read_large),
  RATE("nbi_put", "put_nbi of 8 bytes, 1000 a sync", WRITE " each, as many in flight", 4.0, NET_MAIN, net_write_many),
  RATE("nbi_get", "get_nbi of 8 bytes, 1000 a sync", "fi_read each, as many in flight", 3.0, NET_MAIN, net_read_many),
  FACE("face_put_8", "put of a face of 128^3 doubles: rows of 8 B", 0.5),
  FACE("face_get_8", "get of a face of 128^3 doubles: rows of 8 B", 0.5),
  FACE("face_put_1K", "put of a face of 128^3: rows of 1 KiB", 0.8),
  FACE("face_get_1K", "get of a face of 128^3: rows of 1 KiB", 0.8),
  LIST("puti_8", "puti: 8192 random of 16,384 words, each", BENCH_VALUE_AT_MOST),
  LIST("puti_8_far", "puti: 8192 random words of 16 MiB, each", BENCH_NO_BOUND),
  RATE("nbi_put_singly", "put_nbi as above, with GASNET_COALESCE=0", WRITE " each, as many in flight", 0.8, NET_SINGLY, net_write_many),
  RATE("nbi_get_singly", "get_nbi as above, with GASNET_COALESCE=0", "fi_read each, as many in flight", 0.8, NET_SINGLY, net_read_many),
  {{"progress_busy", "get from a computing node, progress thread", "2 x idle + what a woken thread waits", BENCH_US, 0,
    BENCH_TIME_AT_MOST, 1.0}, NET_THREAD, {NULL}, NULL},
  {{"progress_cost", "get_8 where a progress thread is idle", "the same without", BENCH_US, 0, BENCH_TIME_AT_MOST, 1.1},
   NET_COST, {NULL}, NULL},
  {{"start_64", "starting and ending 64 processes", "64 that open and close an endpoint", BENCH_S, 0, BENCH_VALUE_AT_MOST, 3},
   NET_START, {NULL}, NULL},
};

static const char *usual(void) { return raw_offers("net") ? "net,tcp;ofi_rxm,shm" : "tcp,tcp;ofi_rxm,shm"; }

/* The uppermost layer: "rxm" of tcp;ofi_rxm. */
static void label(const char *provider, char text[NET_LABEL])
{
  const char *layer = strrchr(provider, '_');
  snprintf(text, NET_LABEL, "%.20s", layer ? layer + 1 : provider);
}

const struct net_program net_program = {
  .conduit = "ofi", .library = "libfabric", .option = "provider", .variable = "GASNET_OFI_PROVIDER", .separators = ",",
  .usual = usual, .label = label, .missing = "libfabric does not offer this provider", .help = help,
  .rows = rows, .row_count = sizeof rows / sizeof *rows};
