/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bare program for UCX: one worker of one thread, one endpoint without error handling, memory that UCX
 * allocates. */
#include "ucx.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* raw_address's content. */
struct address {
  uint64_t base; /* of its target memory */
  uint64_t key_size;
  char bytes[sizeof(struct raw_address) - 16]; /* the key, then the address */
};
_Static_assert(sizeof(struct address) == sizeof(struct raw_address), "it holds what the peer must know");

struct raw_ucx raw_ucx;

/* The one message that may have come and not been taken: the peer waits for an answer to each. */
static struct {
  char *into;    /* where the waiting caller wants it */
  size_t nbytes; /* 0: none */
  char early[RAW_MESSAGE_MOST];
} message;

_Noreturn void raw_ucx_die(const char *what, ucs_status_t status)
{
  fprintf(stderr, "gasnetbench: bare UCP program: %s: %s\n", what, ucs_status_string(status));
  exit(1);
}

static void need(ucs_status_t status, const char *what)
{
  if (status != UCS_OK) raw_ucx_die(what, status);
}

/* ---- completions ---- */

/* While this side closes, the peer may be gone already. */
static void complete(void *request, ucs_status_t status, void *unused)
{
  (void)unused;
  if (!raw_ucx.closing) need(status, "an operation");
  ucp_request_free(request);
  raw_ucx.in_flight--;
}

const ucp_request_param_t raw_ucx_counted = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK, .cb.send = complete};
const ucp_request_param_t raw_ucx_eager = {
    .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_FLAGS,
    .flags = UCP_AM_SEND_FLAG_EAGER,
    .cb.send = complete};

void raw_drain(void)
{
  if (raw_ucx.unflushed) raw_ucx_started(ucp_ep_flush_nbx(raw_ucx.ep, &raw_ucx_counted), "ucp_ep_flush_nbx");
  raw_ucx.unflushed = 0;
  while (raw_ucx.in_flight) ucp_worker_progress(raw_ucx.worker);
}

/* ---- transports ---- */

static ucs_status_t choose(const char *transports, ucp_context_h *context)
{
  const ucp_params_t params = {
      .field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_RMA | UCP_FEATURE_AM};
  ucp_config_t *config;
  ucs_status_t status = ucp_config_read(NULL, NULL, &config);
  if (status != UCS_OK) return status;
  if (transports[0]) status = ucp_config_modify(config, "TLS", transports);
  if (status == UCS_OK) status = ucp_init(&params, config, context);
  ucp_config_release(config);
  return status;
}

/* Tries in a process whose output is dropped: UCX prints what it does not find. */
int raw_offers(const char *transports)
{
  ucp_context_h context;
  int status;
  const pid_t pid = fork();
  if (pid == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    _exit(choose(transports, &context) != UCS_OK);
  }
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* ---- opening ---- */

/* UCX allocates it: a transport that maps only its own memory would write and read other memory by
 * messages. */
static void allocate_target(size_t size)
{
  const ucp_mem_map_params_t map = {
      .field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS,
      .length = size,
      .flags = UCP_MEM_MAP_ALLOCATE};
  ucp_mem_attr_t attr = {.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS};
  need(ucp_mem_map(raw_ucx.context, &map, &raw_ucx.memory), "ucp_mem_map");
  need(ucp_mem_query(raw_ucx.memory, &attr), "ucp_mem_query");
  raw_ucx.target = attr.address;
  raw_target = raw_ucx.target;
  memset(raw_ucx.target, 2, size);
}

static void open_worker(void)
{
  const ucp_worker_params_t params = {
      .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE, .thread_mode = UCS_THREAD_MODE_SINGLE};
  need(ucp_worker_create(raw_ucx.context, &params, &raw_ucx.worker), "ucp_worker_create");
}

static void write_address(struct address *mine)
{
  void *key;
  ucp_address_t *name;
  size_t key_size, name_size;
  need(ucp_rkey_pack(raw_ucx.context, raw_ucx.memory, &key, &key_size), "ucp_rkey_pack");
  need(ucp_worker_get_address(raw_ucx.worker, &name, &name_size), "ucp_worker_get_address");
  if (key_size + name_size > sizeof mine->bytes) raw_ucx_die("an address", UCS_ERR_BUFFER_TOO_SMALL);
  mine->base = (uintptr_t)raw_ucx.target;
  mine->key_size = key_size;
  memcpy(mine->bytes, key, key_size);
  memcpy(mine->bytes + key_size, name, name_size);
  ucp_rkey_buffer_release(key);
  ucp_worker_release_address(raw_ucx.worker, name);
}

void raw_ucx_handle(unsigned id, ucp_am_recv_callback_t callback)
{
  const ucp_am_handler_param_t params = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
          UCP_AM_HANDLER_PARAM_FIELD_FLAGS | UCP_AM_HANDLER_PARAM_FIELD_CB,
      .id = id,
      .flags = UCP_AM_FLAG_WHOLE_MSG,
      .cb = callback};
  need(ucp_worker_set_am_recv_handler(raw_ucx.worker, &params), "ucp_worker_set_am_recv_handler");
}

ucs_status_t raw_ucx_receive(
    void *descriptor, char *to, size_t nbytes, ucp_am_recv_data_nbx_callback_t then, void *data)
{
  const ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
      .cb.recv_am = then,
      .user_data = data};
  ucs_status_ptr_t request = ucp_am_recv_data_nbx(raw_ucx.worker, descriptor, to, nbytes, &param);
  if (UCS_PTR_IS_ERR(request)) raw_ucx_die("ucp_am_recv_data_nbx", UCS_PTR_STATUS(request));
  if (!request) then(NULL, UCS_OK, nbytes, data);
  return UCS_INPROGRESS;
}

void raw_ucx_received(void *request, ucs_status_t status)
{
  need(status, "a rendezvous");
  if (request) ucp_request_free(request);
}

static ucs_status_t on_message(void *arg, const void *header, size_t header_length, void *data, size_t length,
    const ucp_am_recv_param_t *param);

void raw_open(const char *transports, const struct raw_memory *m, struct raw_address *mine)
{
  struct address address = {0};
  need(choose(transports, &raw_ucx.context), "ucp_init");
  open_worker();
  allocate_target(m->size);
  raw_ucx_handle(RAW_UCX_MESSAGE, on_message);
  raw_ucx_open_streams();
  raw_ucx_open_slices();
  write_address(&address);
  memcpy(mine->bytes, &address, sizeof address);
}

/* Sends a message each way: both sides must make progress while they connect. It does not flush, which needs
 * the peer, too. */
static void greet(void)
{
  char greeting[8] = {0};
  raw_send(greeting, sizeof greeting, 0);
  raw_receive(greeting);
  raw_drain();
}

void raw_join(const struct raw_address *peer)
{
  struct address address;
  memcpy(&address, peer->bytes, sizeof address);
  const ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
      .address = (const ucp_address_t *)(address.bytes + address.key_size)};
  need(ucp_ep_create(raw_ucx.worker, &params, &raw_ucx.ep), "ucp_ep_create");
  need(ucp_ep_rkey_unpack(raw_ucx.ep, address.bytes, &raw_ucx.rkey), "ucp_ep_rkey_unpack");
  raw_ucx.base = address.base;
  greet();
}

static void close_endpoint(void)
{
  raw_ucx.closing = 1;
  ucp_rkey_destroy(raw_ucx.rkey);
  raw_ucx_started(ucp_ep_close_nbx(raw_ucx.ep, &raw_ucx_counted), "ucp_ep_close_nbx");
  raw_drain();
}

void raw_close(void)
{
  if (raw_ucx.ep) close_endpoint();
  need(ucp_mem_unmap(raw_ucx.context, raw_ucx.memory), "ucp_mem_unmap");
  ucp_worker_destroy(raw_ucx.worker);
  ucp_cleanup(raw_ucx.context);
}

/* ---- transfers ---- */

void raw_write(size_t at, const void *local, size_t nbytes)
{
  raw_ucx_started(ucp_put_nbx(raw_ucx.ep, local, nbytes, raw_ucx.base + at, raw_ucx.rkey, &raw_ucx_counted),
      "ucp_put_nbx");
  raw_ucx.unflushed = 1;
}

/* Complete when the data are here: no flush. */
void raw_read(size_t at, void *local, size_t nbytes)
{
  raw_ucx_started(ucp_get_nbx(raw_ucx.ep, local, nbytes, raw_ucx.base + at, raw_ucx.rkey, &raw_ucx_counted),
      "ucp_get_nbx");
}

/* ---- messages ---- */

static ucs_status_t on_message(void *arg, const void *header, size_t header_length, void *data, size_t length,
    const ucp_am_recv_param_t *param)
{
  (void)arg;
  (void)param;
  message.nbytes = header_length ? header_length : length;
  memcpy(message.into ? message.into : message.early, header_length ? header : data, message.nbytes);
  return UCS_OK;
}

/* Way 0: as data, 1: as data and never by rendezvous, 2: as a header without data. */
void raw_send(const char *data, size_t nbytes, int way)
{
  ucs_status_ptr_t request;
  switch (way) {
  case 2:
    request = ucp_am_send_nbx(raw_ucx.ep, RAW_UCX_MESSAGE, data, nbytes, NULL, 0, &raw_ucx_counted);
    break;
  case 1:
    request = ucp_am_send_nbx(raw_ucx.ep, RAW_UCX_MESSAGE, NULL, 0, data, nbytes, &raw_ucx_eager);
    break;
  default: request = ucp_am_send_nbx(raw_ucx.ep, RAW_UCX_MESSAGE, NULL, 0, data, nbytes, &raw_ucx_counted);
  }
  raw_ucx_started(request, "ucp_am_send_nbx");
}

size_t raw_receive(void *data)
{
  if (message.nbytes) memcpy(data, message.early, message.nbytes);
  for (message.into = data; !message.nbytes;) {
    raw_progress();
    if (raw_ucx.event) raw_ucx_serve_streams();
    if (raw_face_here) raw_face_answer();
  }
  const size_t nbytes = message.nbytes;
  message.nbytes = 0;
  message.into = NULL;
  return nbytes;
}

/* ---- what raw.c wants to know ---- */

const int raw_end_is_answered = 1;
void raw_serving(int begins) { raw_ucx_set_data_memory(begins ? raw_ucx.target : raw_local); }

const struct raw_program raw_program = {RAW_COMMON_FUNCTIONS, .variable = "UCX_TLS",
    .series = {RAW_COMMON_SERIES, RAW_EAGER_SERIES, [RAW_PASS_3] = raw_pass_3, [RAW_FLOOD] = raw_ucx_flood,
        [RAW_FLOOD_2] = raw_ucx_flood_by_header, [RAW_SEND_SEVERAL] = raw_ucx_send,
        [RAW_FETCH_SEVERAL] = raw_ucx_fetch}};
