/* SHA-256 (FIPS 180-4) and the keyed digest HMAC made of it (RFC 2104), for a few hundred bytes at the start of a job. */
#ifndef LAUNCH_SHA256_H
#define LAUNCH_SHA256_H
#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64 };

struct sha256 {
  uint32_t state[8];
  uint64_t bytes;                   /* taken so far */
  unsigned char block[SHA256_BLOCK]; /* the last, incomplete one */
};

void sha256_begin(struct sha256 *s);
void sha256_take(struct sha256 *s, const void *data, size_t n);
void sha256_end(struct sha256 *s, unsigned char digest[SHA256_BYTES]);

struct sha256_part { const void *data; size_t n; };
/* The digest of the parts, one behind the other, under a key of at most SHA256_BLOCK bytes. */
void sha256_keyed(const void *key, size_t key_bytes, const struct sha256_part *part, unsigned parts,
                  unsigned char digest[SHA256_BYTES]);

#endif
