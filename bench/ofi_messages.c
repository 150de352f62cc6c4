/* Messages there and back. */
#include "ofi.h"
#include "raw_ofi.h"

#include <gasnet.h>
#include <string.h>

enum { SHORT = 8, MEDIUM = 512 };

static char mine[RAW_OFI_MESSAGE_MOST]; /* both ends copy out into it */

static void bare(long n, size_t nbytes, int inject)
{
  for (long i = 0; i < n; i++) {
    mine[0] = (char)(inject && nbytes <= raw_ofi_inject_most());
    raw_ofi_pass(mine, nbytes);
    raw_ofi_receive(mine);
  }
  raw_ofi_drain();
}
static void send_short(long n) { bare(n, SHORT, 0); }
static void inject_short(long n) { bare(n, SHORT, 1); }
static void send_medium(long n) { bare(n, MEDIUM, 0); }
static void inject_medium(long n) { bare(n, MEDIUM, 1); }

/* ---- ours ---- */

static volatile long answers;

void ofi_on_ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, OFI_H_PONG); }
void ofi_on_pong(gasnet_token_t token)
{
  (void)token;
  answers++;
}
void ofi_on_ping_medium(gasnet_token_t token, void *data, size_t nbytes)
{
  memcpy(mine, data, nbytes);
  gasnet_AMReplyMedium0(token, OFI_H_PONG_MEDIUM, mine, nbytes);
}
void ofi_on_pong_medium(gasnet_token_t token, void *data, size_t nbytes)
{
  (void)token;
  memcpy(mine, data, nbytes);
  answers++;
}

static void request_short(long n)
{
  for (long i = 0; i < n; i++) {
    const long before = answers;
    gasnet_AMRequestShort0(1, OFI_H_PING);
    GASNET_BLOCKUNTIL(answers != before);
  }
}
static void request_medium(long n)
{
  for (long i = 0; i < n; i++) {
    const long before = answers;
    gasnet_AMRequestMedium0(1, OFI_H_PING_MEDIUM, mine, MEDIUM);
    GASNET_BLOCKUNTIL(answers != before);
  }
}

void ofi_measure_messages(void)
{
  static const struct ofi_contest small = {"am_short", {send_short, inject_short}, request_short, 1000},
                                  medium = {"am_medium", {send_medium, inject_medium}, request_medium, 1000};
  ofi_contest(&small);
  ofi_contest(&medium);
}
