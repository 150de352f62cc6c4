/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parts: written by their process, read by the one that merges. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gasp/tools/common.h"

static const char magic[8] = "PSTGASP1";
/* Of a site's name: longer ones are cut when written, and not read. */
#define LONGEST_TEXT 4096
#define MOST_SITES   (1u << 22)

/* ---- writing ---- */

FILE *pst_part_create(const char *path, const struct pst_part_head *head)
{
  struct pst_part_head copy = *head;
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
  if (!out) return NULL;
  memcpy(copy.magic, magic, sizeof magic);
  setvbuf(out, NULL, _IOFBF, 256 * 1024);
  fwrite(&copy, sizeof copy, 1, out);
  fflush(out); /* from now on the file shows whose part it is, however the process ends */
  return out;
}

void pst_part_write(FILE *out, unsigned kind, const void *data, size_t size)
{
  const struct pst_part_record record = {kind, (uint32_t)size};
  if (!out) return;
  fwrite_unlocked(&record, sizeof record, 1, out);
  fwrite_unlocked(data, size, 1, out);
}

void pst_part_write_site(FILE *out, const struct pst_site *site)
{
  const struct pst_part_site head = {site->id, site->tag, site->line, site->column};
  char text[sizeof head + 2 * LONGEST_TEXT];
  size_t n = sizeof head;
  memcpy(text, &head, sizeof head);
  n += (size_t)snprintf(text + n, LONGEST_TEXT, "%.*s", LONGEST_TEXT - 1, site->file ? site->file : "") + 1;
  n += (size_t)snprintf(text + n, LONGEST_TEXT, "%.*s", LONGEST_TEXT - 1, site->name ? site->name : "") + 1;
  pst_part_write(out, PST_PART_SITE, text, n);
}

int pst_part_close(FILE *out)
{
  if (!out) return -1;
  const int bad = ferror(out);
  if (fclose(out) != 0) return -1;
  if (bad) errno = EIO;
  return bad ? -1 : 0;
}

/* ---- reading ---- */

static int good_head(const struct pst_part_head *head, const char *tool, uint32_t thread, uint32_t threads)
{
  return memcmp(head->magic, magic, sizeof magic) == 0 && memchr(head->tool, '\0', sizeof head->tool) &&
      strcmp(head->tool, tool) == 0 && memchr(head->host, '\0', sizeof head->host) &&
      head->thread == thread && head->threads == threads;
}

int pst_part_open(
    struct pst_part *part, const char *path, const char *tool, uint32_t thread, uint32_t threads)
{
  struct stat st;
  const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  *part = (struct pst_part){.in = NULL};
  if (fd < 0) return -1;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) part->in = fdopen(fd, "r");
  if (!part->in) {
    close(fd);
    return -1;
  }
  if (fread(&part->head, sizeof part->head, 1, part->in) == 1 &&
      good_head(&part->head, tool, thread, threads)) {
    part->now = part->end = part->head.begin;
    part->at = sizeof part->head;
    part->limit = (uint64_t)st.st_size;
    return 0;
  }
  pst_part_done(part);
  return -1;
}

/* Two texts, each ended by a 0, and nothing more. */
static int split(char *text, size_t size, const char **file, const char **name)
{
  char *end = size ? memchr(text, '\0', size) : NULL;
  if (!end || text[size - 1] != '\0' || end + 1 == text + size) return 0;
  if (memchr(end + 1, '\0', (size_t)(text + size - end - 1)) != text + size - 1) return 0;
  *file = text;
  *name = end + 1;
  return 1;
}

static int add_site(
    struct pst_part *part, const struct pst_part_site *from, const char *file, const char *name)
{
  if (part->count == part->room) {
    part->room = part->room ? 2 * part->room : 64;
    part->sites = pst_tool_grow(part->sites, part->room, sizeof *part->sites);
  }
  struct pst_site *site = &part->sites[part->count++];
  *site = (struct pst_site){.id = from->id, .tag = from->tag, .line = from->line, .column = from->column};
  site->file = strdup(file);
  site->name = strdup(name);
  return site->file && site->name;
}

static int read_site(struct pst_part *part, size_t size)
{
  char text[2 * LONGEST_TEXT];
  struct pst_part_site head;
  const char *file, *name;
  if (size < sizeof head || size - sizeof head > sizeof text) return 0;
  if (fread(&head, sizeof head, 1, part->in) != 1) return 0;
  size -= sizeof head;
  if (fread(text, 1, size, part->in) != size || !split(text, size, &file, &name)) return 0;
  if (head.id < part->count) return 1; /* read again */
  return head.id == part->count && head.id < MOST_SITES && add_site(part, &head, file, name);
}

static void advance(struct pst_part *part, uint64_t time)
{
  part->now = time;
  if (time > part->end) part->end = time;
}

/* Time must not go back, so that no duration is negative. */
static int read_event(struct pst_part *part, size_t size, struct pst_part_event *event)
{
  if (size != sizeof *event || fread(event, sizeof *event, 1, part->in) != 1) return 0;
  if (event->site >= part->count || event->time < part->now) return 0;
  if (event->peer >= part->head.threads) event->peer = PST_NOBODY;
  advance(part, event->time);
  return 1;
}

static int read_totals(struct pst_part *part, size_t size, struct pst_part_totals *totals)
{
  return size == sizeof *totals && fread(totals, sizeof *totals, 1, part->in) == 1 &&
      totals->site < part->count;
}

static int read_final(struct pst_part *part, size_t size, struct pst_part_final *final)
{
  if (size != sizeof *final || fread(final, sizeof *final, 1, part->in) != 1 || final->end < part->now)
    return 0;
  advance(part, final->end);
  part->complete = 1;
  return 1;
}

static int read_record(struct pst_part *part, struct pst_part_record *record)
{
  if (!part->in || fread(record, sizeof *record, 1, part->in) != 1) return 0;
  part->at += sizeof *record + record->size;
  return part->at <= part->limit;
}

unsigned pst_part_next(struct pst_part *part, union pst_part_body *body)
{
  struct pst_part_record record;
  while (read_record(part, &record)) {
    int good = 0;
    switch (record.kind) {
    case PST_PART_SITE:
      if (!read_site(part, record.size)) return 0;
      continue;
    case PST_PART_START:
    case PST_PART_END:
    case PST_PART_ATOMIC: good = read_event(part, record.size, &body->event); break;
    case PST_PART_TOTALS: good = read_totals(part, record.size, &body->totals); break;
    case PST_PART_FINAL: good = read_final(part, record.size, &body->final); break;
    default: return 0;
    }
    return good ? record.kind : 0;
  }
  return 0;
}

void pst_part_rewind(struct pst_part *part)
{
  if (!part->in) return;
  fseek(part->in, (long)sizeof part->head, SEEK_SET);
  part->now = part->head.begin;
  part->at = sizeof part->head;
}

void pst_part_done(struct pst_part *part)
{
  if (part->in) fclose(part->in);
  for (uint32_t i = 0; i < part->count; i++) {
    free((char *)part->sites[i].file);
    free((char *)part->sites[i].name);
  }
  free(part->sites);
  *part = (struct pst_part){.in = NULL, .missing = 1};
}
