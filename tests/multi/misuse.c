/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls that the interface forbids. Most are found by debug builds alone; tests/check_misuse.sh knows the
 * messages. */
#include "misuse.h"

enum { H_REPLY = H_FURTHER, H_REPLY_MEDIUM, H_NEVER = 250 };

static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static volatile unsigned replied;
static void (*in_reply)(void);

static void on_reply(gasnet_token_t t)
{
  token = t;
  if (in_reply) in_reply();
  replied++;
}
static void on_reply_medium(gasnet_token_t t, void *buf, size_t n)
{
  (void)t, (void)buf, (void)n;
  replied++;
}

static gasnet_handle_t outstanding(void)
{
  static uint64_t word;
  for (int i = 0; i < 1000; i++) { /* an operation may be complete when it returns; then it has no handle */
    gasnet_handle_t h = gasnet_get_nb_bulk(&word, other, far_begin, sizeof word);
    if (h != GASNET_INVALID_HANDLE) return h;
  }
  fprintf(stderr, "skip: every operation completed at once, GASNET_AM_ONLY=1 is needed\n");
  gasnet_exit(77);
}

/* ---- active messages ---- */

static void reply_once_h(void) { gasnet_AMReplyShort0(token, H_REPLY); }
static void reply_twice_h(void)
{
  reply_once_h();
  reply_once_h();
}
static void reply_twice(void) { run_in_handler(reply_twice_h); }
static void reply_in_reply(void)
{
  in_reply = reply_once_h;
  run_in_handler(reply_once_h);
  GASNET_BLOCKUNTIL(replied);
}
static void reply_outside(void)
{
  run_in_handler(NULL);
  reply_once_h();
}
static void request_here(void) { gasnet_AMRequestShort0(other, H_REPLY); }
static void request_in_handler(void) { run_in_handler(request_here); }
static void put_here(void) { gasnet_put(other, far_begin, data, 8); }
static void put_in_handler(void) { run_in_handler(put_here); }
static void get_here(void) { gasnet_get_bulk(data, other, far_begin, 8); }
static void get_in_handler(void) { run_in_handler(get_here); }
static void notify_here(void) { gasnet_barrier_notify(0, 0); }
static void barrier_in_handler(void) { run_in_handler(notify_here); }
static void poll_here(void) { gasnet_AMPoll(); }
static void poll_in_handler(void) { run_in_handler(poll_here); }
static void strided_here(void)
{
  size_t stride[1] = {16}, count[2] = {8, 2};
  gasnet_puts_bulk(other, far_begin, stride, data, stride, count, 1);
}
static void strided_in_handler(void) { run_in_handler(strided_here); }
static void bad_index(void)
{
  gasnet_AMRequestShort0(other, 90);
  test_barrier();
}
static void unregistered(void)
{
  gasnet_AMRequestShort0(other, H_NEVER);
  test_barrier();
}
static void am_bad_node(void) { gasnet_AMRequestShort0(test.nodes, H_REPLY); }
static void medium_too_long(void)
{
  char *big = (char *)calloc(1, gasnet_AMMaxMedium() + 1);
  gasnet_AMRequestMedium0(other, H_REPLY_MEDIUM, big, gasnet_AMMaxMedium() + 1);
}
static void long_outside(void) { gasnet_AMRequestLong0(other, H_REPLY_MEDIUM, data, 16, far_end - 8); }
static void too_many_args(void) { gasnet_AMRequestShort(other, H_REPLY, 17, 0); }

/* ---- put and get ---- */

static void put_outside(void) { gasnet_put(other, far_end - 4, data, 8); }
static void put_before(void) { gasnet_put_nb_bulk(other, far_begin - 1, data, 8); }
static void get_outside(void) { gasnet_get_nbi_bulk(data, other, far_end, 1); }
static void memset_outside(void) { gasnet_memset(other, far_end - 1, 0, 2); }
static void value_outside(void) { gasnet_put_val(other, far_end - 2, 1, 4); }
static void put_bad_node(void) { gasnet_put(test.nodes, far_begin, data, 8); }
static void get_bad_node(void) { gasnet_get_val((gasnet_node_t)-1, far_begin, 8); }
static volatile size_t nine = 9; /* the compiler would warn of the constant */
static void value_size(void) { gasnet_put_nb_val(other, far_begin, 1, nine); }

static void atomic_outside(void) { gasnetx_atomic32(GASNETX_ADD, other, (uint32_t *)(void *)far_end, 1, 0); }
static void atomic_unaligned(void)
{
  gasnetx_atomic64_nbi(GASNETX_ADD, other, (uint64_t *)(void *)(far_end - 12), 1);
}
static void atomic_bad_node(void)
{
  gasnetx_atomic16(GASNETX_GET, 2, (uint16_t *)(void *)(far_end - 2), 0, 0);
}
static void atomic_bad_op(void)
{
  gasnetx_atomic16((gasnetx_atomic_op_t)8, other, (uint16_t *)(void *)(far_end - 2), 0, 0);
}
static void atomic_no_answer(void)
{
  gasnetx_atomic32_nbi(GASNETX_SWAP, other, (uint32_t *)(void *)(far_end - 4), 0);
}
static void atomic_here(void)
{
  gasnetx_atomic64(GASNETX_OR, other, (uint64_t *)(void *)(far_end - 8), 1, 0);
}
static void atomic_in_handler(void) { run_in_handler(atomic_here); }
static void strided_outside(void)
{
  size_t stride[1] = {SEGMENT / 2}, near[1] = {8}, count[2] = {8, 3};
  gasnet_puts_bulk(other, far_begin, stride, data, near, count, 1);
}
static void strided_get_outside(void)
{
  size_t stride[1] = {SEGMENT / 2}, near[1] = {8}, count[2] = {8, 3};
  gasnet_gets_bulk(data, near, other, far_begin, stride, count, 1);
}
static void strided_bad_first(void)
{
  size_t far[1] = {7}, near[1] = {8}, count[2] = {8, 3};
  gasnet_puts_bulk(other, far_begin, far, data, near, count, 1);
}
static void strided_bad_second(void)
{
  size_t far[2] = {8, 24}, near[2] = {8, 23}, count[3] = {8, 3, 2};
  gasnet_wait_syncnb(gasnet_puts_nb_bulk(other, far_begin, far, data, near, count, 2));
}
static void strided_bad_get(void)
{
  size_t far[2] = {8, 16}, near[2] = {8, 24}, count[3] = {8, 3, 2};
  gasnet_gets_nbi_bulk(data, near, other, far_begin, far, count, 2);
}

/* ---- handles, regions ---- */

static void stale_handle(void)
{
  gasnet_handle_t h = outstanding();
  gasnet_wait_syncnb(h);
  gasnet_wait_syncnb(h);
}
static void stale_try(void)
{
  gasnet_handle_t h[2];
  h[0] = h[1] = outstanding();
  gasnet_wait_syncnb_all(h, 1);
  gasnet_try_syncnb_all(h + 1, 1);
}
static void valget_twice(void)
{
  gasnet_valget_handle_t h = gasnet_get_nb_val(other, far_begin, 8);
  gasnet_wait_syncnb_valget(h);
  gasnet_wait_syncnb_valget(h);
}
static void nested_region(void)
{
  gasnet_begin_nbi_accessregion();
  gasnet_begin_nbi_accessregion();
}
static void end_region(void) { gasnet_end_nbi_accessregion(); }
static void sync_in_region(void)
{
  gasnet_begin_nbi_accessregion();
  gasnet_wait_syncnbi_puts();
}
static void try_in_region(void)
{
  gasnet_begin_nbi_accessregion();
  gasnet_try_syncnbi_all();
}
static void destroy_chosen_group(void)
{
  gasnetx_group_t g = gasnetx_group_create(0);
  gasnetx_group_choose(g);
  gasnetx_group_destroy(g);
}
/* The other node may answer at once: then the group is not busy, and another try is needed. */
static void destroy_busy_group(void)
{
  static uint64_t word;
  for (int tries = 0; tries < 100000; tries++) {
    gasnetx_group_t g = gasnetx_group_create(GASNETX_GROUP_SHARED);
    gasnetx_group_choose(g);
    gasnet_get_nbi_bulk(&word, other, far_begin, sizeof word);
    gasnetx_group_choose(NULL);
    gasnetx_group_destroy(g);
  }
}
#ifdef GASNET_PAR
static gasnetx_group_t private_group;
static void choose_elsewhere(int id)
{
  if (id == 1) gasnetx_group_choose(private_group);
}
static void group_elsewhere(void)
{
  private_group = gasnetx_group_create(0);
  test_threads(2, choose_elsewhere);
}
static gasnet_handle_t shared_handle;
static void wait_elsewhere(int id)
{
  if (id == 1) gasnet_wait_syncnb(shared_handle);
}
static void other_thread(void)
{
  shared_handle = outstanding();
  test_threads(2, wait_elsewhere);
}
#endif

/* ---- barriers ---- */

static void wait_alone(void) { gasnet_barrier_wait(0, 0); }
static void try_alone(void) { gasnet_barrier_try(0, 0); }
static void two_notifies(void)
{
  gasnet_barrier_notify(0, 0);
  gasnet_barrier_notify(0, 0);
}
static void barrier_in_barrier(void)
{
  gasnet_barrier_notify(0, 0);
  gasnet_barrier(0, 0);
}
static void two_waits(void)
{
  test_barrier();
  gasnet_barrier_wait(0, 0);
}

/* ---- locks ---- */

static void lock_here(void) { gasnet_hsl_lock(&lock); }
static void unlock_unheld(void) { gasnet_hsl_unlock(&lock); }
static void lock_twice(void)
{
  gasnet_hsl_lock(&lock);
  gasnet_hsl_lock(&lock);
}
static void trylock_held(void)
{
  gasnet_hsl_lock(&lock);
  gasnet_hsl_trylock(&lock);
}
static void destroy_held(void)
{
  gasnet_hsl_lock(&lock);
  gasnet_hsl_destroy(&lock);
}
static void unlock_out_of_order(void)
{
  static gasnet_hsl_t inner = GASNET_HSL_INITIALIZER;
  gasnet_hsl_lock(&lock);
  gasnet_hsl_lock(&inner);
  gasnet_hsl_unlock(&lock);
}
static gasnet_hsl_t made;
static void init_twice(void)
{
  gasnet_hsl_init(&made);
  gasnet_hsl_init(&made);
}
static void init_static(void) { gasnet_hsl_init(&lock); }
static void destroy_twice(void)
{
  gasnet_hsl_init(&made);
  gasnet_hsl_destroy(&made);
  gasnet_hsl_destroy(&made);
}
static void destroy_static_twice(void)
{
  gasnet_hsl_destroy(&lock);
  gasnet_hsl_destroy(&lock);
}
static void put_with_lock(void)
{
  gasnet_hsl_lock(&lock);
  put_here();
}
static void barrier_with_lock(void)
{
  gasnet_barrier_notify(0, 0);
  gasnet_hsl_lock(&lock);
  gasnet_barrier_wait(0, 0);
}
static void sync_with_lock(void)
{
  gasnet_handle_t h = outstanding();
  gasnet_hsl_lock(&lock);
  gasnet_wait_syncnb(h);
}
static void poll_with_lock(void)
{
  gasnet_hsl_lock(&lock);
  poll_here();
}
static void request_with_lock(void)
{
  gasnet_hsl_lock(&lock);
  request_here();
}
static void leave_with_lock(void) { run_in_handler(lock_here); }
static void hold_twice(void)
{
  gasnet_hold_interrupts();
  gasnet_hold_interrupts();
}
static void resume_alone(void) { gasnet_resume_interrupts(); }
static void hold_with_lock(void)
{
  gasnet_hsl_lock(&lock);
  gasnet_hold_interrupts(); /* has no effect: the resume has nothing to end */
  gasnet_hsl_unlock(&lock);
  gasnet_resume_interrupts();
}
static void poll_in_section(void)
{
  gasnet_hold_interrupts();
  poll_here();
}
static void wait_in_section(void)
{
  gasnet_hold_interrupts();
  GASNET_BLOCKUNTIL(handled);
}
static void put_in_section(void)
{
  gasnet_hold_interrupts();
  put_here();
}
static void request_in_section(void)
{
  gasnet_hold_interrupts();
  request_here();
}
static void sync_in_section(void)
{
  gasnet_hold_interrupts();
  gasnet_wait_syncnbi_all();
}
static void barrier_in_section(void)
{
  gasnet_barrier_notify(0, 0);
  gasnet_hold_interrupts();
  gasnet_barrier_try(0, 0);
}
#ifdef GASNET_PAR
static void unlock_elsewhere(int id)
{
  if (id == 1) gasnet_hsl_unlock(&lock);
}
static void unlock_by_other(void)
{
  gasnet_hsl_lock(&lock);
  test_threads(2, unlock_elsewhere);
}
#endif

static void before_attach(void) { gasnet_put(0, data, data, 8); }
static void barrier_before_attach(void) { gasnet_barrier_notify(0, 0); }

static void alike_late(void) { gasnetx_segments_at_same_addresses(); }
static void alike_alone(void)
{
  if (test.me == 0) gasnetx_segments_at_same_addresses();
  gasnet_attach(NULL, 0, SEGMENT, 0);
}
static void alike_regions(void)
{
  static char fixed[GASNET_PAGESIZE] __attribute__((aligned(GASNET_PAGESIZE)));
  REQUIRE(gasnetx_region_add(fixed, sizeof fixed) == 1, "no region");
  gasnetx_segments_at_same_addresses();
  gasnet_attach(NULL, 0, SEGMENT, 0);
}

static const struct misuse cases[] = {
    CASE(reply_twice, DEBUG),
    CASE(reply_in_reply, DEBUG),
    CASE(reply_outside, DEBUG),
    CASE(request_in_handler, DEBUG),
    CASE(put_in_handler, DEBUG),
    CASE(get_in_handler, DEBUG),
    CASE(barrier_in_handler, DEBUG),
    CASE(poll_in_handler, DEBUG),
    CASE(strided_in_handler, DEBUG),
    CASE(bad_index, DEBUG),
    CASE(unregistered, ALWAYS),
    CASE(am_bad_node, DEBUG),
    CASE(medium_too_long, DEBUG),
    CASE(long_outside, DEBUG),
    CASE(too_many_args, ALWAYS),
    CASE(put_outside, DEBUG | OFI),
    CASE(put_before, DEBUG),
    CASE(get_outside, DEBUG | OFI),
    CASE(memset_outside, DEBUG),
    CASE(value_outside, DEBUG),
    CASE(put_bad_node, DEBUG),
    CASE(get_bad_node, DEBUG),
    CASE(value_size, DEBUG),
    CASE(atomic_outside, DEBUG),
    CASE(atomic_unaligned, DEBUG),
    CASE(atomic_bad_node, DEBUG),
    CASE(atomic_bad_op, DEBUG),
    CASE(atomic_no_answer, DEBUG),
    CASE(atomic_in_handler, DEBUG),
    CASE(strided_outside, DEBUG),
    CASE(strided_get_outside, DEBUG),
    CASE(strided_bad_first, DEBUG),
    CASE(strided_bad_second, DEBUG),
    CASE(strided_bad_get, DEBUG),
    CASE(stale_handle, DEBUG),
    CASE(stale_try, DEBUG),
    CASE(valget_twice, DEBUG),
    CASE(nested_region, DEBUG),
    CASE(end_region, DEBUG),
    CASE(sync_in_region, DEBUG),
    CASE(try_in_region, DEBUG),
    CASE(destroy_chosen_group, ALWAYS),
    CASE(destroy_busy_group, ALWAYS),
    CASE(wait_alone, ALWAYS),
    CASE(try_alone, ALWAYS),
    CASE(two_notifies, ALWAYS),
    CASE(barrier_in_barrier, ALWAYS),
    CASE(two_waits, JOINED),
    CASE(unlock_out_of_order, DEBUG),
    CASE(init_twice, DEBUG),
    CASE(init_static, DEBUG),
    CASE(destroy_twice, DEBUG),
    CASE(destroy_static_twice, DEBUG),
    CASE(hold_with_lock, DEBUG),
    CASE(poll_in_section, DEBUG),
    CASE(wait_in_section, DEBUG),
    CASE(put_in_section, DEBUG),
    CASE(request_in_section, DEBUG),
    CASE(sync_in_section, DEBUG),
    CASE(barrier_in_section, DEBUG),
    CASE(unlock_unheld, DEBUG),
    CASE(lock_twice, DEBUG),
    CASE(trylock_held, DEBUG),
    CASE(destroy_held, DEBUG),
    CASE(put_with_lock, DEBUG),
    CASE(barrier_with_lock, DEBUG),
    CASE(sync_with_lock, DEBUG),
    CASE(poll_with_lock, DEBUG),
    CASE(request_with_lock, DEBUG),
    CASE(leave_with_lock, DEBUG),
    CASE(hold_twice, DEBUG),
    CASE(resume_alone, DEBUG),
    CASE(alike_late, ALWAYS),
    CASE(alike_alone, EARLY | BOTH),
    CASE(alike_regions, EARLY | BOTH),
    CASE(before_attach, DEBUG | EARLY),
    CASE(barrier_before_attach, DEBUG | EARLY),
#ifdef GASNET_PAR
    CASE(group_elsewhere, DEBUG),
    CASE(other_thread, DEBUG),
    CASE(unlock_by_other, DEBUG),
#endif
};

/* ---- legal edge cases ---- */

static void lock_in_handler(void)
{
  gasnet_hsl_lock(&lock);
  gasnet_hold_interrupts();
  gasnet_hold_interrupts();
  gasnet_resume_interrupts();
  gasnet_hsl_unlock(&lock);
  gasnet_resume_interrupts();
  gasnet_AMReplyMedium0(token, H_REPLY_MEDIUM, data, 0);
}

/* Memory of any content can be made a lock, and again after the lock's end. */
static void legal_locks(void)
{
  static const int fillings[] = {0, 0x5a, 0xff};
  gasnet_hsl_t l[2], copy;
  for (int k = 0; k < 3; k++) {
    memset(l, fillings[k], sizeof l);
    for (int again = 0; again < 2; again++) {
      gasnet_hsl_init(&l[0]);
      l[1] = l[0]; /* the copy of a lock is not yet a lock */
      gasnet_hsl_init(&l[1]);
      gasnet_hsl_lock(&l[1]);
      gasnet_hsl_lock(&lock);
      gasnet_hsl_unlock(&lock);
      gasnet_hsl_lock(&l[0]);
      gasnet_hsl_unlock(&l[0]);
      gasnet_hsl_unlock(&l[1]);
      gasnet_hsl_destroy(&l[1]);
      gasnet_hsl_destroy(&l[0]);
    }
  }
  copy = l[0];
  gasnet_hsl_init(&copy);
  gasnet_hsl_destroy(&copy);
  gasnet_hsl_destroy(&lock);
  gasnet_hsl_init(&lock);
}

/* Sections without interrupts do not nest. Inside a lock or a handler their begin and end have no effect. */
static void legal_sections(void)
{
  gasnet_hold_interrupts();
  gasnet_hsl_lock(&lock);
  gasnet_resume_interrupts();
  gasnet_hold_interrupts();
  gasnet_hold_interrupts();
  gasnet_hsl_unlock(&lock);
  gasnet_resume_interrupts();
  gasnet_AMPoll();
}

static void legal(void)
{
  size_t stride[2] = {8, 24}, count[3] = {8, 3, 2}, one[2] = {SEGMENT - 8, 1};
  gasnet_put(other, far_end - 8, data, 8);
  gasnet_get_bulk(data, other, far_end - 1, 1);
  gasnet_put_bulk(other, far_end, data, 0);
  gasnet_put_bulk(other, NULL, NULL, 0); /* 0 bytes may be anywhere */
  gasnet_memset(other, far_begin, 1, SEGMENT);
  gasnet_puts_bulk(other, far_end - 48, stride, data, stride, count, 2);
  gasnet_gets_bulk(data, stride, other, far_end - 48, stride, count, 2);
  gasnet_puts_bulk(other, far_begin, one, data, stride, (size_t[2]){8, 2}, 1);
  gasnetx_atomic64(GASNETX_SET, other, (uint64_t *)(void *)(far_end - 8), 1, 2);
  gasnetx_atomic16(GASNETX_CSWAP, other, (uint16_t *)(void *)(far_end - 2), 1, 2);
  gasnet_wait_syncnb(GASNET_INVALID_HANDLE);
  gasnet_wait_syncnb(gasnet_get_nb_bulk(data, other, far_begin, 8));
  gasnet_begin_nbi_accessregion();
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  legal_locks();
  legal_sections();
  run_in_handler(lock_in_handler);
  GASNET_BLOCKUNTIL(replied);
  gasnet_AMRequestLong0(other, H_REPLY_MEDIUM, data, 8, far_end - 8);
  gasnet_AMRequestLong0(other, H_REPLY_MEDIUM, data, 0, NULL);
  char *most = (char *)calloc(1, gasnet_AMMaxMedium());
  REQUIRE_OK(gasnet_AMRequestMedium0(other, H_REPLY_MEDIUM, most, gasnet_AMMaxMedium()));
  GASNET_BLOCKUNTIL(replied >= 4);
  free(most);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {
      {H_RUN, (void (*)())on_run},
      {H_REPLY, (void (*)())on_reply},
      {H_REPLY_MEDIUM, (void (*)())on_reply_medium},
  };
  misuse_main("misuse", &argc, &argv, MISUSE_CASE(&argc, argv, cases), legal, table, 3);
}
