/* Messages there and back, and one way. */
#include "net.h"

#include <gasnet.h>
#include <string.h>

static char mine[NET_MEDIUM]; /* both ends copy out into it */
static volatile long answers;

void net_on_ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, NET_H_PONG); }
void net_on_pong(gasnet_token_t token)
{
  (void)token;
  answers++;
}
void net_on_ping_medium(gasnet_token_t token, void *data, size_t nbytes)
{
  memcpy(mine, data, nbytes);
  gasnet_AMReplyMedium0(token, NET_H_PONG_MEDIUM, mine, nbytes);
}
void net_on_pong_medium(gasnet_token_t token, void *data, size_t nbytes)
{
  (void)token;
  memcpy(mine, data, nbytes);
  answers++;
}

static void request_short(long n)
{
  for (long i = 0; i < n; i++) {
    const long before = answers;
    gasnet_AMRequestShort0(1, NET_H_PING);
    GASNET_BLOCKUNTIL(answers != before);
  }
}
static void request_medium(long n)
{
  for (long i = 0; i < n; i++) {
    const long before = answers;
    gasnet_AMRequestMedium0(1, NET_H_PING_MEDIUM, mine, NET_MEDIUM);
    GASNET_BLOCKUNTIL(answers != before);
  }
}

/* ---- one way ---- */

/* The last of `of` to come is answered: they may come in any order. */
void net_on_flood(gasnet_token_t token, gasnet_handlerarg_t of)
{
  static long count;
  if (++count < of) return;
  count = 0;
  gasnet_AMReplyShort0(token, NET_H_PONG);
}

static void request_often(long n)
{
  const long before = answers;
  for (long i = 0; i < n; i++) gasnet_AMRequestShort1(1, NET_H_FLOOD, (gasnet_handlerarg_t)n);
  GASNET_BLOCKUNTIL(answers != before);
}

void net_measure_messages(void)
{
  static const struct net_contest small = {"am_short", request_short, 1000},
                                  medium = {"am_medium", request_medium, 1000},
                                  flood = {"am_flood", request_often, 50000};
  net_contest(&small);
  net_contest(&medium);
  net_contest(&flood);
}
