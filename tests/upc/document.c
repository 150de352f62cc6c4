/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The examples of the proposal "Extending the UPC Memory Copy Library" 2.0, completed so that they run, their
 * results by value. Here upc_all_alloc makes a static shared array, and &A[i] is upc_pts_add(A, i, ...). */
#include "common.h"

#define BLKSZ  100
#define DOUBLE sizeof(double)
#define AT(i)  upc_pts_add(A, (ptrdiff_t)(i), BLKSZ, DOUBLE)

static upc_pts_t A; /* shared [BLKSZ] double A[BLKSZ*THREADS] */

/* What element i of any array of the examples holds. */
static double value(size_t i) { return 3.0 * (double)i + 0.25; }

static void expect(const double *got, size_t n, size_t first, const char *what)
{
  for (size_t i = 0; i < n; i++)
    if (got[i] != value(first + i)) {
      CHECK(0, "%s: element %zu of %zu is %g, not %g", what, i, n, got[i], value(first + i));
      return;
    }
}

/* Each thread writes the elements that it has, by a plain pointer. */
static void make_blocks(void)
{
  A = upc_all_alloc((size_t)THREADS, BLKSZ * DOUBLE);
  double *mine = (double *)(void *)own(AT(BLKSZ * MYTHREAD));
  for (size_t i = 0; i < BLKSZ; i++) mine[i] = value((size_t)MYTHREAD * BLKSZ + i);
  upc_barrier();
}

/* ---- 2.3, 3.2, 4: neighbours ---- */

static double leftdata[BLKSZ], rightdata[BLKSZ];

static void forget_neighbours(void)
{
  memset(leftdata, 0, sizeof leftdata);
  memset(rightdata, 0, sizeof rightdata);
}

static void expect_neighbours(const char *what)
{
  if (MYTHREAD > 0) expect(leftdata, BLKSZ, (size_t)BLKSZ * (size_t)(MYTHREAD - 1), what);
  if (MYTHREAD < THREADS - 1) expect(rightdata, BLKSZ, (size_t)BLKSZ * (size_t)(MYTHREAD + 1), what);
  forget_neighbours();
}

static void explicit_handles(void)
{
  upc_handle_t leftfetch_handle = UPC_COMPLETE_HANDLE;
  upc_handle_t rightfetch_handle = UPC_COMPLETE_HANDLE;
  if (MYTHREAD > 0) leftfetch_handle = upc_memget_async(leftdata, AT(BLKSZ * (MYTHREAD - 1)), BLKSZ * DOUBLE);
  if (MYTHREAD < THREADS - 1)
    rightfetch_handle = upc_memget_async(rightdata, AT(BLKSZ * (MYTHREAD + 1)), BLKSZ * DOUBLE);
  upc_waitsync(leftfetch_handle);
  upc_waitsync(rightfetch_handle);
  expect_neighbours("2.3");
}

static void fetch_neighbours(void)
{
  if (MYTHREAD > 0) upc_memget_asynci(leftdata, AT(BLKSZ * (MYTHREAD - 1)), BLKSZ * DOUBLE);
  if (MYTHREAD < THREADS - 1) upc_memget_asynci(rightdata, AT(BLKSZ * (MYTHREAD + 1)), BLKSZ * DOUBLE);
}

static void implicit_handle(void)
{
  fetch_neighbours();
  upc_waitsynci();
  expect_neighbours("3.2");
}

static void access_region(void)
{
  upc_begin_accessregion();
  fetch_neighbours();
  upc_handle_t handle = upc_end_accessregion();
  upc_waitsync(handle);
  expect_neighbours("4, first example");
}

/* ---- 4: a put and some gets in a region, an explicit handle beside it, and accesses between its end and its
 * wait ---- */

static void mixed_region(void)
{
  const size_t next = (size_t)((MYTHREAD + 1) % THREADS);
  upc_pts_t box = upc_all_alloc((size_t)THREADS, BLKSZ * DOUBLE);
  double out[BLKSZ], in[BLKSZ], beside[BLKSZ], after[BLKSZ];
  for (size_t i = 0; i < BLKSZ; i++) out[i] = value(1000 * (size_t)MYTHREAD + i);
  upc_begin_accessregion();
  upc_memput_asynci(upc_pts_add(box, (ptrdiff_t)(next * BLKSZ), BLKSZ, DOUBLE), out, sizeof out);
  for (size_t done = 0; done < BLKSZ; done += 10)
    upc_memget_asynci(in + done, AT(next * BLKSZ + done), 10 * DOUBLE);
  upc_handle_t h2 = upc_memget_async(beside, AT(BLKSZ * MYTHREAD), sizeof beside);
  upc_waitsync(h2);
  expect(beside, BLKSZ, BLKSZ * (size_t)MYTHREAD, "4, explicit handle in the region");
  upc_handle_t handle = upc_end_accessregion();
  upc_memget_asynci(after, AT(next * BLKSZ), sizeof after);
  upc_waitsynci();
  expect(after, BLKSZ, BLKSZ * next, "4, implicit handle after the region");
  upc_begin_accessregion();
  upc_waitsync(upc_end_accessregion());
  upc_waitsync(handle);
  expect(in, BLKSZ, BLKSZ * next, "4, gets of the region");
  upc_barrier();
  expect((double *)(void *)own(upc_pts_add(box, BLKSZ * MYTHREAD, BLKSZ, DOUBLE)), BLKSZ,
      1000 * (size_t)((MYTHREAD + THREADS - 1) % THREADS), "4, put of the region");
  upc_all_free(box);
}

/* ---- 5.2, 5.3: lists ---- */

/* The document assumes 3 threads; with fewer a block may be used twice. */
static void vector_list(void)
{
  const size_t one = 1 % (size_t)THREADS * BLKSZ, two = 2 % (size_t)THREADS * BLKSZ;
  upc_smemvec_t srclist[] = {
      {AT(14), DOUBLE},
      {AT(20), DOUBLE},
      {AT(one), 50 * DOUBLE},
      {AT(two), BLKSZ * DOUBLE},
  };
  double mybuf[52 + BLKSZ];
  upc_pmemvec_t dstlist[] = {{mybuf, sizeof(mybuf)}};
  upc_memget_vlist(1, dstlist, 4, srclist);
  expect(mybuf, 1, 14, "5.2");
  expect(mybuf + 1, 1, 20, "5.2");
  expect(mybuf + 2, 50, one, "5.2");
  expect(mybuf + 52, BLKSZ, two, "5.2");
}

static void indexed_list(void)
{
  const size_t one = 1 % (size_t)THREADS * BLKSZ;
  upc_const_pts_t srclist[] = {AT(14), AT(15), AT(16), AT(one), AT(one + 10)};
  double mybuf[5];
  void *dstlist[] = {&mybuf};
  upc_memget_ilist(1, dstlist, 5 * DOUBLE, 5, srclist, DOUBLE);
  expect(mybuf, 3, 14, "5.3");
  expect(mybuf + 3, 1, one, "5.3");
  expect(mybuf + 4, 1, one + 10, "5.3");
  memset(mybuf, 0, sizeof mybuf);
  upc_memget_ilst(1, dstlist, 5 * DOUBLE, 5, srclist, DOUBLE);
  expect(mybuf, 3, 14, "5.3, the document's spelling");
  expect(mybuf + 4, 1, one + 10, "5.3, the document's spelling");
}

/* ---- 6.1, figure 1: chunks of 2 from a column of A[12][8] become chunks of 4 of another one ---- */

/* shared [] double NAME[elements], on this thread. */
static upc_pts_t own_array(size_t elements, size_t first)
{
  upc_pts_t p = upc_alloc(elements * DOUBLE);
  double *at = (double *)(void *)own(p);
  for (size_t i = 0; i < elements; i++) at[i] = value(first + i);
  return p;
}

/* The figure's source and destination share the rows 2 to 6, but no element. */
static void fixed_strides(void)
{
  enum { ROWS = 12, COLUMNS = 8 };
  upc_pts_t matrix = own_array(ROWS * COLUMNS, 0);
  const double *at = (const double *)(const void *)own(matrix);
  double want[ROWS * COLUMNS];
  memcpy(want, at, sizeof want);
  for (size_t i = 0; i < 20; i++)
    want[(2 + i / 4) * COLUMNS + 4 + i % 4] = value((1 + i / 2) * COLUMNS + 1 + i % 2);
  upc_memcpy_fstrided(pts_bytes(matrix, (2 * COLUMNS + 4) * DOUBLE), 4 * DOUBLE, 8 * DOUBLE, 5,
      pts_bytes(matrix, (1 * COLUMNS + 1) * DOUBLE), 2 * DOUBLE, 8 * DOUBLE, 10);
  CHECK(!memcmp(want, at, sizeof want), "6.1: the matrix is not as in figure 1");
  upc_free(matrix);
}

/* ---- 6.2: a block of 2 x 3 x 4 from a local array to one of another thread ---- */

static double local[11][12][13];

static size_t block_index(size_t i) { return ((8 + i / 12) * 15 + 9 + i / 4 % 3) * 16 + 10 + i % 4; }

static void block(void)
{
  enum { ELEMENTS = 14 * 15 * 16 };
  upc_pts_t all = upc_all_alloc((size_t)THREADS, ELEMENTS * DOUBLE);
  upc_pts_t B = upc_pts_add(all, (MYTHREAD + 1) % THREADS, 1, ELEMENTS * DOUBLE);
  double *mine = (double *)(void *)own(upc_pts_add(all, MYTHREAD, 1, ELEMENTS * DOUBLE));
  size_t srcstrides[2], dststrides[2], count[3], stridelevels;
  for (size_t i = 0; i < 11 * 12 * 13; i++)
    local[i / 156][i / 13 % 12][i % 13] = value(10000 * (size_t)MYTHREAD + i);
  for (size_t i = 0; i < ELEMENTS; i++) mine[i] = -1;
  upc_barrier();
  srcstrides[0] = 13 * DOUBLE;
  srcstrides[1] = 12 * 13 * DOUBLE;
  dststrides[0] = 16 * DOUBLE;
  dststrides[1] = 15 * 16 * DOUBLE;
  count[0] = 4 * DOUBLE;
  count[1] = 3;
  count[2] = 2;
  stridelevels = 2;
  /* The document's call has its addresses interchanged. */
  upc_memput_strided(
      pts_bytes(B, block_index(0) * DOUBLE), dststrides, &local[5][6][7], srcstrides, count, stridelevels);
  upc_barrier();
  size_t others = 0, from = 10000 * (size_t)((MYTHREAD + THREADS - 1) % THREADS);
  for (size_t i = 0; i < 24; i++) {
    expect(&mine[block_index(i)], 1, from + ((5 + i / 12) * 12 + 6 + i / 4 % 3) * 13 + 7 + i % 4, "6.2");
    mine[block_index(i)] = -1;
  }
  for (size_t i = 0; i < ELEMENTS; i++) others += mine[i] != -1;
  CHECK(others == 0, "6.2: %zu elements outside the block are changed", others);
  upc_all_free(all);
}

/* ---- Appendix, item 1: an array in blocks gathered into a local one ---- */

static upc_pts_t make_array(size_t elements)
{
  upc_pts_t array = upc_all_alloc(upc_blocks(elements, BLKSZ), BLKSZ * DOUBLE);
  for (size_t i = (size_t)MYTHREAD; i < elements; i += (size_t)THREADS)
    PUT_ELEMENT(array, i, BLKSZ, value(i));
  upc_barrier();
  return array;
}

static void gather_by_thread(upc_pts_t array, size_t elements)
{
  double *localA = (double *)calloc(elements, DOUBLE), *at = localA;
  upc_pmemvec_t dst = {localA, elements * DOUBLE};
  upc_smemvec_t *myvec = (upc_smemvec_t *)calloc((size_t)THREADS, sizeof *myvec);
  for (int i = 0; i < THREADS; i++) {
    myvec[i].addr = upc_pts_add(array, BLKSZ * i, BLKSZ, DOUBLE);
    myvec[i].len = upc_affinitysize(elements * DOUBLE, BLKSZ * DOUBLE, (size_t)i);
  }
  upc_memget_vlist(1, &dst, (size_t)THREADS, myvec);
  for (size_t t = 0; t < (size_t)THREADS; t++)
    for (size_t i = t * BLKSZ; i < elements; i++)
      if (i / BLKSZ % (size_t)THREADS == t) expect(at++, 1, i, "appendix, item 1, by thread");
  CHECK(at == localA + elements, "appendix, item 1: upc_affinitysize sums up to %td elements of %zu",
      at - localA, elements);
  free(myvec);
  free(localA);
}

static void gather_by_block(upc_pts_t array, size_t elements)
{
  double *localA = (double *)calloc(elements, DOUBLE);
  upc_pmemvec_t dst = {localA, elements * DOUBLE};
  upc_smemvec_t *myvec = (upc_smemvec_t *)calloc(elements / BLKSZ + 1, sizeof *myvec);
  upc_pts_t p = array;
  size_t i;
  for (i = 0; i < elements / BLKSZ; i++) {
    myvec[i].addr = p;
    myvec[i].len = BLKSZ * DOUBLE;
    p = upc_pts_add(p, BLKSZ, BLKSZ, DOUBLE);
  }
  ptrdiff_t leftoverelems = upc_pts_diff(
      upc_pts_add(array, (ptrdiff_t)elements, BLKSZ, DOUBLE), p, BLKSZ, DOUBLE);
  CHECK(leftoverelems == (ptrdiff_t)(elements % BLKSZ), "appendix, item 1: %td elements are left over",
      leftoverelems);
  if (leftoverelems > 0) {
    myvec[i].addr = p;
    myvec[i].len = (size_t)leftoverelems * DOUBLE;
    i++;
  }
  upc_memget_vlist(1, &dst, i, myvec);
  expect(localA, elements, 0, "appendix, item 1, by block");
  memset(localA, 0, elements * DOUBLE);
  upc_memget_reblock(localA, array, BLKSZ, elements, DOUBLE);
  expect(localA, elements, 0, "appendix, item 1, in one call");
  free(myvec);
  free(localA);
}

static void gather(size_t elements)
{
  upc_pts_t array = make_array(elements);
  gather_by_thread(array, elements);
  gather_by_block(array, elements);
  upc_all_free(array);
}

int main(int argc, char **argv)
{
  test_start("document", &argc, &argv);
  make_blocks();
  explicit_handles();
  implicit_handle();
  access_region();
  mixed_region();
  vector_list();
  indexed_list();
  fixed_strides();
  block();
  gather(BLKSZ * (size_t)THREADS);
  gather(BLKSZ * (size_t)THREADS - 30);
  gather(5 * BLKSZ * (size_t)THREADS + BLKSZ + 17);
  gather(7);
  upc_all_free(A);
  return test_finish();
}
