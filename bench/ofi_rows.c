/* The rows, in the order in which they are shown. */
#include "ofi.h"

#define LATENCY(key, what, bare, bound) {{key, what, bare, BENCH_US, 0, BENCH_TIME_AT_MOST, bound}, OFI_MAIN}
#define BULK(key, what, bare, bytes) {{key, what, bare, BENCH_GBS, bytes, BENCH_RATE_AT_LEAST, 0.95}, OFI_MAIN}
#define RATE(key, what, bare, bound, group) {{key, what, bare, BENCH_MSGS, 0, BENCH_RATE_AT_LEAST, bound}, group}
#define FACE(key, what, bound) \
  {{key, what, "one contiguous fi_write of the same 128 KiB", BENCH_US, 0, BENCH_RATE_AT_LEAST, bound}, OFI_MAIN}
#define LIST(key, what, kind) {{key, what, "one contiguous fi_write of the same, each", BENCH_NS, 0, kind, 8}, OFI_MAIN}
#define WRITE "fi_write with FI_DELIVERY_COMPLETE"
#define SEND "the better of fi_inject and fi_send, there and back"

const struct ofi_row ofi_rows[] = {
  LATENCY("put_8", "put of 8 bytes", WRITE, 1.15),
  LATENCY("get_8", "get of 8 bytes", "fi_read", 1.15),
  LATENCY("put_lone", "one put_nbi of 8 bytes and its sync", WRITE, 1.15),
  LATENCY("am_short", "short request and reply", SEND, 1.25),
  LATENCY("am_medium", "medium request and reply of 512 bytes", SEND, 1.25),
  BULK("put_64K", "put of 64 KiB, 32 in flight", WRITE, 64 << 10),
  BULK("get_64K", "get of 64 KiB, 32 in flight", "fi_read", 64 << 10),
  BULK("put_1M", "put of 1 MiB, 8 in flight", WRITE, 1 << 20),
  BULK("get_1M", "get of 1 MiB, 8 in flight", "fi_read", 1 << 20),
  RATE("nbi_put", "put_nbi of 8 bytes, 1000 a sync", WRITE " each, as many in flight", 4.0, OFI_MAIN),
  RATE("nbi_get", "get_nbi of 8 bytes, 1000 a sync", "fi_read each, as many in flight", 3.0, OFI_MAIN),
  FACE("face_put_8", "put of a face of 128^3 doubles: rows of 8 B", 0.5),
  FACE("face_get_8", "get of a face of 128^3 doubles: rows of 8 B", 0.5),
  FACE("face_put_1K", "put of a face of 128^3: rows of 1 KiB", 0.8),
  FACE("face_get_1K", "get of a face of 128^3: rows of 1 KiB", 0.8),
  LIST("puti_8", "puti: 8192 random of 16,384 words, each", BENCH_VALUE_AT_MOST),
  LIST("puti_8_far", "puti: 8192 random words of 16 MiB, each", BENCH_NO_BOUND),
  RATE("nbi_put_singly", "put_nbi as above, with GASNET_COALESCE=0", WRITE " each, as many in flight", 0.8, OFI_SINGLY),
  RATE("nbi_get_singly", "get_nbi as above, with GASNET_COALESCE=0", "fi_read each, as many in flight", 0.8, OFI_SINGLY),
  {{"progress_busy", "get from a computing node, progress thread", "2 x idle + what a woken thread waits", BENCH_US, 0,
    BENCH_TIME_AT_MOST, 1.0}, OFI_THREAD},
  {{"progress_cost", "get_8 where a progress thread is idle", "the same without", BENCH_US, 0, BENCH_TIME_AT_MOST, 1.1}, OFI_COST},
  {{"start_64", "starting and ending 64 processes", "64 that open and close an endpoint", BENCH_S, 0, BENCH_VALUE_AT_MOST, 3}, OFI_START},
};
const unsigned ofi_row_count = sizeof ofi_rows / sizeof *ofi_rows;
