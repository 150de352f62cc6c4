/* The ucx conduit against a bare UCP program: what bench/ucx has of its own. */
#include "net.h"
#include "raw_ucx.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
  "usage: ucx [options]    starts the jobs of two processes that it needs, over the network conduit\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put_*', 'am_*,start_64'\n"
  "  --transports LIST[;LIST...]\n"
  "                        lists of UCX's transports, each as in UCX_TLS, separated by ; or / (tcp,self;posix,self)\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (11)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

/* ---- what only these rows are compared with ---- */

static void flood(long n) { raw_ucx_flood(n, 0); }
static void flood_by_header(long n) { raw_ucx_flood(n, 1); }

static void send_large(long n)
{
  for (long left = n; left > 0; left -= net_bulk.several) raw_ucx_send(net_bulk.nbytes, net_bulk.several);
}
static void fetch_large(long n)
{
  for (long left = n; left > 0; left -= net_bulk.several) raw_ucx_fetch(net_bulk.nbytes, net_bulk.several);
}

/* ---- rows ---- */

#define LATENCY(key, what, against, bound, ...) {{key, what, against, BENCH_US, 0, BENCH_TIME_AT_MOST, bound}, NET_MAIN, {__VA_ARGS__}, NULL}
#define BULK(key, what, against, bytes, ...) \
  {{key, what, against, BENCH_GBS, bytes, BENCH_RATE_AT_LEAST, 0.95}, NET_MAIN, {__VA_ARGS__}, NULL}
#define RATE(key, what, against, bound, on, group, ...) \
  {{key, what, against, BENCH_MSGS, 0, BENCH_RATE_AT_LEAST, bound}, group, {__VA_ARGS__}, on}
#define FACE(key, what, against, bound, series) \
  {{key, what, "one contiguous " against " of the same 128 KiB", BENCH_US, 0, BENCH_RATE_AT_LEAST, bound}, NET_MAIN, {series}, NULL}
#define LIST(key, what, kind) \
  {{key, what, "one contiguous " PUT " of the same, each", BENCH_NS, 0, kind, 8}, NET_MAIN, {net_write_list}, NULL}
#define PUT "ucp_put_nbx and flush"
#define PUTS "ucp_put_nbx each, and one flush"
#define GET "ucp_get_nbx"
#define SEND "the best of three ways of ucp_am_send_nbx, there and back"

/* In the order in which they are shown. */
static const struct net_row rows[] = {
  LATENCY("put_8", "put of 8 bytes", PUT, 1.15, net_write_words),
  LATENCY("get_8", "get of 8 bytes", GET, 1.15, net_read_words),
  LATENCY("am_short", "short request and reply", SEND, 1.2, net_pass_short, net_pass_short_2, net_pass_short_3),
  LATENCY("am_medium", "medium request and reply of 512 bytes", SEND, 1.2, net_pass_medium, net_pass_medium_2, net_pass_medium_3),
  RATE("am_flood", "short requests, one way", "the better of two ways of ucp_am_send_nbx", 0.7, NULL, NET_MAIN, flood, flood_by_header),
  BULK("put_64K", "put of 64 KiB, 32 in flight", "the better of " PUTS ", and messages", 64 << 10, net_write_large, send_large),
  BULK("get_64K", "get of 64 KiB, 32 in flight", "the better of " GET " and messages", 64 << 10, net_read_large, fetch_large),
  BULK("put_1M", "put of 1 MiB, 8 in flight", "the better of " PUTS ", and messages", 1 << 20, net_write_large, send_large),
  BULK("get_1M", "get of 1 MiB, 8 in flight", "the better of " GET " and messages", 1 << 20, net_read_large, fetch_large),
  RATE("nbi_put", "put_nbi of 8 bytes, 1000 a sync", PUTS, 4.0, "tcp", NET_MAIN, net_write_many),
  RATE("nbi_get", "get_nbi of 8 bytes, 1000 a sync", GET " each", 3.0, "tcp", NET_MAIN, net_read_many),
  FACE("face_put_8", "put of a face of 128^3 doubles: rows of 8 B", PUT, 0.5, net_write_face),
  FACE("face_get_8", "get of a face of 128^3 doubles: rows of 8 B", GET, 0.5, net_read_face),
  FACE("face_put_1K", "put of a face of 128^3: rows of 1 KiB", PUT, 0.8, net_write_face),
  FACE("face_get_1K", "get of a face of 128^3: rows of 1 KiB", GET, 0.8, net_read_face),
  LIST("puti_8", "puti: 8192 random of 16,384 words, each", BENCH_VALUE_AT_MOST),
  LIST("puti_8_far", "puti: 8192 random words of 16 MiB, each", BENCH_NO_BOUND),
  RATE("nbi_put_singly", "put_nbi as above, with GASNET_COALESCE=0", PUTS, 0.8, NULL, NET_SINGLY, net_write_many),
  RATE("nbi_get_singly", "get_nbi as above, with GASNET_COALESCE=0", GET " each", 0.8, NULL, NET_SINGLY, net_read_many),
  {{"progress_busy", "get from a computing node, progress thread", "2 x idle + what a woken thread waits", BENCH_US, 0,
    BENCH_TIME_AT_MOST, 1.0}, NET_THREAD, {NULL}, NULL},
  {{"progress_cost", "get_8 where a progress thread is idle", "the same without", BENCH_US, 0, BENCH_TIME_AT_MOST, 1.1},
   NET_COST, {NULL}, NULL},
  {{"start_64", "starting and ending 64 processes", "64 that make and destroy a context and worker", BENCH_S, 0,
    BENCH_VALUE_AT_MOST, 3}, NET_START, {NULL}, NULL},
};

static const char *usual(void) { return "tcp,self;posix,self"; }

/* Without the loopback that ends the list. */
static void label(const char *transports, char text[NET_LABEL])
{
  static const char loopback[] = ",self";
  const size_t n = strlen(transports), end = sizeof loopback - 1;
  const size_t shown = n > end && !strcmp(transports + n - end, loopback) ? n - end : n;
  snprintf(text, NET_LABEL, "%.*s", (int)shown, transports);
}

const struct net_program net_program = {
  .conduit = "ucx", .library = "UCX", .option = "transports", .variable = "UCX_TLS", .separators = ";/",
  .setting = {"UCX_LOG_LEVEL", "error"}, /* not what it has to say about versions and unused variables */
  .usual = usual, .label = label, .missing = "UCX does not offer these transports here", .help = help,
  .rows = rows, .row_count = sizeof rows / sizeof *rows};
