/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The digests of the published test vectors; secrets and proofs. */
#include "launch/secret.c"
#include "support/sha256.c"

#include "tests/unit/suite.h"

static const char *hex(const unsigned char digest[PST_SHA256_BYTES])
{
  static char text[2 * PST_SHA256_BYTES + 1];
  for (unsigned i = 0; i < PST_SHA256_BYTES; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
  return text;
}

static const char *digest_of(const char *data, size_t n, size_t piece)
{
  struct pst_sha256 s;
  unsigned char digest[PST_SHA256_BYTES];
  pst_sha256_begin(&s);
  for (size_t at = 0; at < n; at += piece) pst_sha256_take(&s, data + at, n - at < piece ? n - at : piece);
  pst_sha256_end(&s, digest);
  return hex(digest);
}

/* FIPS 180-4's examples, and a million letters. */
static void test_digest(void)
{
  static char million[1000000];
  const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  CU_ASSERT_STRING_EQUAL(
      digest_of("", 0, 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CU_ASSERT_STRING_EQUAL(
      digest_of("abc", 3, 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CU_ASSERT_STRING_EQUAL(
      digest_of(two, strlen(two), 7), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  memset(million, 'a', sizeof million);
  for (size_t piece = 1; piece < sizeof million; piece = 3 * piece + 1)
    CU_ASSERT_STRING_EQUAL(digest_of(million, sizeof million, piece),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* RFC 4231, cases 1, 2 and 3. */
static void test_keyed(void)
{
  unsigned char key[20], data[50], digest[PST_SHA256_BYTES];
  const struct pst_sha256_part hi[] = {{"Hi", 2}, {" There", 6}},
                               what[] = {{"what do ya want for nothing?", 28}}, dd[] = {{data, sizeof data}};
  memset(key, 0x0b, sizeof key);
  pst_sha256_keyed(key, sizeof key, hi, 2, digest);
  CU_ASSERT_STRING_EQUAL(hex(digest), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  pst_sha256_keyed("Jefe", 4, what, 1, digest);
  CU_ASSERT_STRING_EQUAL(hex(digest), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  memset(key, 0xaa, sizeof key);
  memset(data, 0xdd, sizeof data);
  pst_sha256_keyed(key, sizeof key, dd, 1, digest);
  CU_ASSERT_STRING_EQUAL(hex(digest), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
}

static void test_secret_as_text(void)
{
  struct secret a, b;
  char text[SECRET_TEXT];
  CU_ASSERT_FATAL(secret_make(&a) == 0 && secret_make(&b) == 0);
  CU_ASSERT(memcmp(&a, &b, sizeof a) != 0);
  secret_write(&a, text);
  CU_ASSERT(strlen(text) == 2 * SECRET_BYTES && secret_read(text, &b) == 0 && memcmp(&a, &b, sizeof a) == 0);
  text[10] = 'g';
  CU_ASSERT(secret_read(text, &b) == -1);
  text[10] = 'A';
  CU_ASSERT(secret_read(text, &b) == -1);
  text[10] = '\0';
  CU_ASSERT(secret_read(text, &b) == -1 && secret_read("", &b) == -1);
}

/* Each input of a proof changes it. */
static void test_proofs(void)
{
  struct secret s = {{1, 2, 3}}, t = {{1, 2, 4}};
  unsigned char a[NONCE_BYTES] = {5}, b[NONCE_BYTES] = {6}, first[PROOF_BYTES], proof[PROOF_BYTES];
  secret_prove(&s, SECRET_DAEMON, 7, a, b, first);
  secret_prove(&s, SECRET_DAEMON, 7, a, b, proof);
  CU_ASSERT(secret_same(first, proof));
  secret_prove(&s, SECRET_LAUNCHER, 7, a, b, proof);
  CU_ASSERT(!secret_same(first, proof));
  secret_prove(&s, SECRET_DAEMON, 8, a, b, proof);
  CU_ASSERT(!secret_same(first, proof));
  secret_prove(&s, SECRET_DAEMON, 7, b, a, proof);
  CU_ASSERT(!secret_same(first, proof));
  secret_prove(&t, SECRET_DAEMON, 7, a, b, proof);
  CU_ASSERT(!secret_same(first, proof));
  memcpy(proof, first, sizeof proof);
  proof[PROOF_BYTES - 1] ^= 1;
  CU_ASSERT(!secret_same(first, proof));
}

int main(void)
{
  const struct unit_test tests[] = {{"SHA-256", test_digest}, {"HMAC", test_keyed},
      {"secrets as text", test_secret_as_text}, {"proofs", test_proofs}};
  return RUN_SUITE("secret", tests);
}
