#include "support/env_ofi.h"

#include <stddef.h>
#include <string.h>

#include "support/error.h"
#include "support/parse.h"

struct name {
  const char *text;
  uint32_t bit;       /* 0: followed by a number, which goes to */
  size_t at;
  int64_t least;
};

static const struct name modes_known[] = {
  { "local", PST_OFI_MR_LOCAL, 0, 0 },       { "virt_addr", PST_OFI_MR_VIRT_ADDR, 0, 0 },
  { "allocated", PST_OFI_MR_ALLOCATED, 0, 0 }, { "prov_key", PST_OFI_MR_PROV_KEY, 0, 0 },
  { "endpoint", PST_OFI_MR_ENDPOINT, 0, 0 }, { "raw", PST_OFI_MR_RAW, 0, 0 }, { NULL, 0, 0, 0 },
};

static const struct name without_known[] = {
  { "multi_recv", PST_OFI_WITHOUT_MULTI_RECV, 0, 0 },
  { "delivery_complete", PST_OFI_WITHOUT_DELIVERY_COMPLETE, 0, 0 },
  { "inject", PST_OFI_WITHOUT_INJECT, 0, 0 },
  { "auto_progress", PST_OFI_WITHOUT_AUTO_PROGRESS, 0, 0 },
  { "resource_mgmt", PST_OFI_WITHOUT_RESOURCE_MGMT, 0, 0 },
  { "room", 0, offsetof(struct pst_ofi_without, room), PST_OFI_ROOM_LEAST },
  { "size", 0, offsetof(struct pst_ofi_without, size), PST_OFI_SIZE_LEAST },
  { "queue", 0, offsetof(struct pst_ofi_without, queue), PST_OFI_QUEUE_LEAST },
  { NULL, 0, 0, 0 },
};

static const struct name *find(const struct name *known, const char *text, size_t n)
{
  for (; known->text; known++)
    if (strlen(known->text) == n && memcmp(known->text, text, n) == 0) return known;
  return NULL;
}

static int parse_number(const char *text, size_t n, int64_t least, uint32_t *number)
{
  char digits[16];
  int64_t value;
  if (n == 0 || n >= sizeof digits) return PST_ERR_INVALID;
  memcpy(digits, text, n);
  digits[n] = '\0';
  if (pst_parse_int(digits, &value) != PST_OK) return PST_ERR_INVALID;
  if (value < least || value > PST_OFI_WITHOUT_MOST) return PST_ERR_RANGE;
  *number = (uint32_t)value;
  return PST_OK;
}

/* One name, or name:number, of n characters. */
static int parse_one(const struct name *known, const char *text, size_t n, uint32_t *bits, void *numbers)
{
  const char *colon = memchr(text, ':', n);
  const size_t length = colon ? (size_t)(colon - text) : n;
  const struct name *k = find(known, text, length);
  if (!k || !k->bit != (colon != NULL)) return PST_ERR_INVALID;
  *bits |= k->bit;
  return k->bit ? PST_OK : parse_number(colon + 1, n - length - 1, k->least, (uint32_t *)(void *)((char *)numbers + k->at));
}

static int parse(const struct name *known, const char *text, uint32_t *bits, void *numbers)
{
  for (;; text++) {
    const size_t n = strcspn(text, ",");
    const int err = parse_one(known, text, n, bits, numbers);
    if (err != PST_OK) return err;
    text += n;
    if (!*text) return PST_OK;
  }
}

int pst_ofi_mr_parse(const char *text, uint32_t *modes)
{
  uint32_t bits = 0;
  const int err = text ? parse(modes_known, text, &bits, NULL) : PST_OK;
  if (err == PST_OK) *modes = bits;
  return err;
}

int pst_ofi_without_parse(const char *text, struct pst_ofi_without *w)
{
  struct pst_ofi_without new = { 0 };
  const int err = text ? parse(without_known, text, &new.what, &new) : PST_OK;
  if (err == PST_OK) *w = new;
  return err;
}
