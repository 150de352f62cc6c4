/* Puts that tell their target, and waiting for it. Extension proposal, appendix, item 4. */
#ifndef PENSTOCK_X_NOTIFY_H
#define PENSTOCK_X_NOTIFY_H
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GASNETX_NOTIFY_ADD,    /* atomically adds value to *word */
  GASNETX_NOTIFY_SET,    /* stores value in *word */
  GASNETX_NOTIFY_HANDLER /* runs a handler of a short request with arguments arg[0] and arg[1] */
} gasnetx_notify_kind_t;

/* word: an aligned uint64_t in the target's segment, as the target sees it. */
typedef struct {
  gasnetx_notify_kind_t kind;
  uint64_t *word;
  uint64_t value;
  gasnet_handler_t handler;
  gasnet_handlerarg_t arg[2];
} gasnetx_notify_t;

#ifdef __cplusplus
}
#endif
#endif
