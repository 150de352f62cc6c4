/* The bare program for libfabric: one endpoint with the settings that conduits/ofi asks for, and one completion queue. */
#include "raw.h"

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many in flight as the conduit has at most, and as many completions a look. */
enum { DEPTH = 512, RECEIVES = 16, BATCH = 16, STOP = 1 };

/* raw_card's content. */
struct card {
  uint64_t key, base; /* of its target memory */
  uint32_t size;
  char address[244];
};
_Static_assert(sizeof(struct card) <= sizeof(struct raw_card), "a card holds what the peer must know");

struct slot {
  struct fi_context2 context; /* first: the provider hands it back */
  struct slot *next;          /* among the free */
  char *data;                 /* of a message */
};

static struct {
  struct fi_info *info;
  struct fid_fabric *fabric;
  struct fid_domain *domain;
  struct fid_av *av;
  struct fid_cq *cq;
  struct fid_ep *ep;
  struct fid_mr *target_mr, *local_mr, *message_mr;
  void *local_desc, *message_desc;
  fi_addr_t peer;
  uint64_t key, base;
} raw;

static struct slot operations[DEPTH], receives[RECEIVES];
static struct slot *unused;
static unsigned in_flight;
static char messages[DEPTH + RECEIVES][RAW_MESSAGE_MOST];
static struct { struct slot *slot; size_t nbytes; } arrived[RECEIVES]; /* in order */
static unsigned arrived_first, arrived_count;

static _Noreturn void die(const char *what, ssize_t rc)
{
  fprintf(stderr, "ofi: bare program: %s: %s\n", what, fi_strerror((int)-rc));
  exit(1);
}

static void need(ssize_t rc, const char *what)
{
  if (rc != 0) die(what, rc);
}

/* ---- the provider ---- */

/* What conduits/ofi/info.c asks for. */
static struct fi_info *hints(const char *provider)
{
  const char *device = getenv("GASNET_OFI_DEVICE");
  struct fi_info *h = fi_allocinfo();
  if (!h) die("fi_allocinfo", -FI_ENOMEM);
  h->caps = FI_MSG | FI_RMA | FI_MULTI_RECV;
  h->mode = FI_CONTEXT | FI_CONTEXT2;
  h->ep_attr->type = FI_EP_RDM;
  h->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  h->domain_attr->threading = FI_THREAD_DOMAIN;
  h->domain_attr->resource_mgmt = FI_RM_ENABLED;
  h->domain_attr->av_type = FI_AV_TABLE;
  h->tx_attr->op_flags = FI_COMPLETION;
  h->fabric_attr->prov_name = strdup(provider);
  if (device) h->domain_attr->name = strdup(device);
  return h;
}

static int choose(const char *provider, struct fi_info **list)
{
  struct fi_info *h = hints(provider);
  const int rc = fi_getinfo(FI_VERSION(1, 15), NULL, NULL, 0, h, list);
  fi_freeinfo(h);
  return rc;
}

int raw_offers(const char *provider)
{
  struct fi_info *list = NULL;
  if (choose(provider, &list) != 0) return 0;
  fi_freeinfo(list);
  return 1;
}

/* ---- opening ---- */

static void open_endpoint(void)
{
  struct fi_av_attr av = {.type = FI_AV_TABLE, .count = 1};
  struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_DATA, .size = 16384, .wait_obj = FI_WAIT_NONE};
  need(fi_fabric(raw.info->fabric_attr, &raw.fabric, NULL), "fi_fabric");
  need(fi_domain(raw.fabric, raw.info, &raw.domain, NULL), "fi_domain");
  need(fi_av_open(raw.domain, &av, &raw.av, NULL), "fi_av_open");
  need(fi_cq_open(raw.domain, &cq, &raw.cq, NULL), "fi_cq_open");
  need(fi_endpoint(raw.domain, raw.info, &raw.ep, NULL), "fi_endpoint");
  need(fi_ep_bind(raw.ep, &raw.av->fid, 0), "fi_ep_bind");
  need(fi_ep_bind(raw.ep, &raw.cq->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  need(fi_enable(raw.ep), "fi_enable");
}

static struct fid_mr *registered(void *p, size_t nbytes, uint64_t access, uint64_t key)
{
  struct fid_mr *mr;
  need(fi_mr_reg(raw.domain, p, nbytes, access, 0, key, 0, &mr, NULL), "fi_mr_reg");
  if (!(raw.info->domain_attr->mr_mode & FI_MR_ENDPOINT)) return mr;
  need(fi_mr_bind(mr, &raw.ep->fid, 0), "fi_mr_bind");
  need(fi_mr_enable(mr), "fi_mr_enable");
  return mr;
}

/* Local memory only where the provider says so. */
static void register_memory(const struct raw_memory *m)
{
  enum { TARGET, LOCAL, MESSAGES };
  raw.target_mr = registered(m->target, m->size, FI_REMOTE_READ | FI_REMOTE_WRITE, TARGET);
  if (!(raw.info->domain_attr->mr_mode & FI_MR_LOCAL)) return;
  raw.local_mr = registered(m->local, m->size, FI_READ | FI_WRITE, LOCAL);
  raw.message_mr = registered(messages, sizeof messages, FI_SEND | FI_RECV, MESSAGES);
  raw.local_desc = fi_mr_desc(raw.local_mr);
  raw.message_desc = fi_mr_desc(raw.message_mr);
}

static void post_receive(struct slot *s)
{
  need(fi_recv(raw.ep, s->data, RAW_MESSAGE_MOST, raw.message_desc, FI_ADDR_UNSPEC, s), "fi_recv");
}

static void make_slots(void)
{
  for (unsigned i = 0; i < DEPTH; i++) {
    operations[i].data = messages[i];
    operations[i].next = unused;
    unused = &operations[i];
  }
  for (unsigned i = 0; i < RECEIVES; i++) {
    receives[i].data = messages[DEPTH + i];
    post_receive(&receives[i]);
  }
}

void raw_open(const char *provider, const struct raw_memory *m, struct raw_card *mine)
{
  struct card card = {0};
  size_t size = sizeof card.address;
  need(choose(provider, &raw.info), "fi_getinfo");
  open_endpoint();
  register_memory(m);
  make_slots();
  need(fi_getname(&raw.ep->fid, card.address, &size), "fi_getname");
  card.size = (uint32_t)size;
  card.key = fi_mr_key(raw.target_mr);
  card.base = raw.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uintptr_t)m->target : 0;
  memcpy(mine->bytes, &card, sizeof card);
}

void raw_join(const struct raw_card *peer)
{
  struct card card;
  memcpy(&card, peer->bytes, sizeof card);
  const int n = fi_av_insert(raw.av, card.address, 1, &raw.peer, 0, NULL);
  if (n != 1) die("fi_av_insert", n < 0 ? n : -FI_EINVAL);
  raw.key = card.key;
  raw.base = card.base;
}

static void close_one(struct fid *f)
{
  if (f) need(fi_close(f), "fi_close");
}

void raw_close(void)
{
  close_one(&raw.ep->fid);
  close_one(raw.message_mr ? &raw.message_mr->fid : NULL);
  close_one(raw.local_mr ? &raw.local_mr->fid : NULL);
  close_one(&raw.target_mr->fid);
  close_one(&raw.cq->fid);
  close_one(&raw.av->fid);
  close_one(&raw.domain->fid);
  close_one(&raw.fabric->fid);
}

/* ---- completions ---- */

static _Noreturn void failed(void)
{
  struct fi_cq_err_entry e = {0};
  fi_cq_readerr(raw.cq, &e, 0);
  die("an operation failed", -e.err);
}

static void note(const struct fi_cq_data_entry *e)
{
  struct slot *s = e->op_context;
  if (e->flags & FI_RECV) {
    const unsigned at = (arrived_first + arrived_count++) % RECEIVES;
    arrived[at].slot = s;
    arrived[at].nbytes = e->len;
    return;
  }
  s->next = unused;
  unused = s;
  in_flight--;
}

static inline void look(void)
{
  struct fi_cq_data_entry e[BATCH];
  const ssize_t n = fi_cq_read(raw.cq, e, BATCH);
  if (n == -FI_EAVAIL) failed();
  if (n < 0 && n != -FI_EAGAIN) die("fi_cq_read", n);
  for (ssize_t i = 0; i < n; i++) note(&e[i]);
}

void raw_drain(void)
{
  while (in_flight) look();
}

static struct slot *take(void)
{
  struct slot *s;
  while (!unused) look();
  s = unused;
  unused = s->next;
  in_flight++;
  return s;
}

/* Whether to try again. */
static int refused(ssize_t rc, const char *what)
{
  if (rc == 0) return 0;
  if (rc != -FI_EAGAIN) die(what, rc);
  look();
  return 1;
}

/* ---- transfers ---- */

void raw_write(size_t at, const void *local, size_t nbytes)
{
  struct iovec iov = {(void *)(uintptr_t)local, nbytes};
  struct fi_rma_iov target = {raw.base + at, nbytes, raw.key};
  struct fi_msg_rma m = {.msg_iov = &iov, .desc = &raw.local_desc, .iov_count = 1, .addr = raw.peer, .rma_iov = &target,
                         .rma_iov_count = 1, .context = take()};
  while (refused(fi_writemsg(raw.ep, &m, FI_COMPLETION | FI_DELIVERY_COMPLETE), "fi_writemsg")) {}
}

void raw_read(size_t at, void *local, size_t nbytes)
{
  struct slot *s = take();
  while (refused(fi_read(raw.ep, local, nbytes, raw.local_desc, raw.peer, raw.base + at, raw.key, s), "fi_read")) {}
}

/* ---- messages ---- */

static void send_message(const void *data, size_t nbytes)
{
  struct slot *s = take();
  memcpy(s->data, data, nbytes);
  while (refused(fi_send(raw.ep, s->data, nbytes, raw.message_desc, raw.peer, s), "fi_send")) {}
}

static void inject_message(const void *data, size_t nbytes)
{
  while (refused(fi_inject(raw.ep, data, nbytes, raw.peer), "fi_inject")) {}
}

/* 1: by fi_inject where the provider takes as much, else by fi_send. */
void raw_pass(const char *data, size_t nbytes)
{
  if (data[0] && nbytes <= raw.info->tx_attr->inject_size) inject_message(data, nbytes);
  else send_message(data, nbytes);
}

size_t raw_receive(void *data)
{
  struct slot *s;
  size_t nbytes;
  while (!arrived_count) look();
  s = arrived[arrived_first].slot;
  nbytes = arrived[arrived_first].nbytes;
  arrived_first = (arrived_first + 1) % RECEIVES;
  arrived_count--;
  memcpy(data, s->data, nbytes);
  post_receive(s);
  return nbytes;
}

/* ---- the passive side ---- */

/* No other message is as short as the one that ends it. */
void raw_serve(void)
{
  char data[RAW_MESSAGE_MOST];
  for (size_t nbytes; (nbytes = raw_receive(data)) != STOP;) raw_pass(data, nbytes);
  raw_drain();
}

void raw_stop(void)
{
  static const char stop;
  raw_drain();
  send_message(&stop, STOP);
  raw_drain();
}
