/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Launcher and daemon against 100,000 damaged sessions: wrong bits and lengths; frames lost, doubled or in
 * another order. PST_SEED repeats a run. */
#include "tests/fuzz/fuzz_launch.c"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { SESSION_MOST = 32 * 1024, FRAMES_MOST = 64, SESSIONS = 100000 };

struct session {
  unsigned char bytes[SESSION_MOST];
  size_t size;
  size_t frame[FRAMES_MOST + 1]; /* where each begins; [frames] is the end */
  unsigned frames;
};

struct frame {
  enum wire_type type;
  uint32_t a, b, c;
  size_t size;
};

static void say(struct session *s, struct frame f)
{
  const uint32_t word[WIRE_WORDS] = {f.a, f.b, f.c, 0, 2};
  s->size += wire_encode(f.type, word, f.size, (char *)s->bytes + s->size);
  memset(s->bytes + s->size, 'x', f.size);
  s->size += f.size;
  s->frame[++s->frames] = s->size;
}

/* A frame to the session s: what is not named is 0. */
#define SAY(wire_type, ...) say(s, (struct frame){.type = wire_type, ##__VA_ARGS__})

static void open_session(struct session *s, enum wire_way way)
{
  *s = (struct session){.size = 1};
  s->bytes[0] = way == WIRE_TO_LAUNCHER;
  s->frame[0] = 1;
}

static void say_text(struct session *s, enum wire_type type, const char *string)
{
  const size_t n = strlen(string);
  SAY(type, .size = n);
  memcpy(s->bytes + s->size - n, string, n);
}

static void daemon_session(struct session *s)
{
  open_session(s, WIRE_TO_LAUNCHER);
  for (unsigned i = 0; i < FUZZ_LOCAL; i++) SAY(WIRE_STARTED, .a = i, .b = 100 + i);
  SAY(WIRE_STATE, .a = 1);
  SAY(WIRE_OUTPUT, .a = 1, .size = 300);
  SAY(WIRE_GATHER, .a = 1, .b = 700, .size = 1000);
  SAY(WIRE_GATHER, .a = 1, .b = 700, .c = 1000, .size = 1100);
  SAY(WIRE_GATHER, .a = 2);
  SAY(WIRE_INPUT_TAKEN, .a = 400);
  SAY(WIRE_INPUT_CLOSED);
  SAY(WIRE_OUTPUT, .a = 2, .b = 1, .size = 20);
  for (unsigned i = 0; i < FUZZ_LOCAL; i++) {
    SAY(WIRE_LEAVES, .a = i, .b = PST_LEAVING | (i ? i : PST_LEAVING_LOST));
    SAY(WIRE_ENDED, .a = i, .b = 100 + i, .c = i << 8);
  }
  SAY(WIRE_BYE);
}

static void launcher_session(struct session *s)
{
  open_session(s, WIRE_TO_DAEMON);
  SAY(WIRE_JOB, .b = FUZZ_LOCAL, .c = FUZZ_NODES);
  say_text(s, WIRE_DIRECTORY, "/home/somebody");
  say_text(s, WIRE_ARGUMENT, "program");
  say_text(s, WIRE_ARGUMENT, "");
  say_text(s, WIRE_VARIABLE, "NAME=value");
  SAY(WIRE_START);
  SAY(WIRE_INPUT, .size = 5000);
  SAY(WIRE_OUTPUT_TAKEN, .a = 1000);
  SAY(WIRE_SCATTER, .a = 1, .b = 1000, .size = 3000);
  SAY(WIRE_SCATTER, .a = 1, .b = 1000, .c = 3000, .size = 2000);
  SAY(WIRE_SCATTER, .a = 2, .b = 1000, .size = 5000);
  SAY(WIRE_SIGNAL, .a = SIGUSR1);
  SAY(WIRE_ASK);
  SAY(WIRE_LOST, .a = FUZZ_NODES - 1);
  SAY(WIRE_INPUT);
  SAY(WIRE_ENDING);
  SAY(WIRE_SIGNAL, .a = SIGKILL);
}

/* ---- damage ---- */

static void copy_frame(struct session *to, const struct session *from, unsigned i)
{
  const size_t n = from->frame[i + 1] - from->frame[i];
  if (to->frames == FRAMES_MOST || to->size + n > SESSION_MOST) return;
  memcpy(to->bytes + to->size, from->bytes + from->frame[i], n);
  to->size += n;
  to->frame[++to->frames] = to->size;
}

/* Frames are lost, come twice, or change places. */
static void shuffle(struct session *s)
{
  static struct session old;
  old = *s;
  open_session(s, old.bytes[0] ? WIRE_TO_LAUNCHER : WIRE_TO_DAEMON);
  for (unsigned i = 0; i < old.frames; i++) {
    const unsigned what = below(12);
    if (what == 0) continue;
    copy_frame(s, &old, what == 1 ? below(old.frames) : i);
    if (what == 2) copy_frame(s, &old, i);
  }
}

static void damage_header(struct session *s)
{
  unsigned char *at = s->bytes + s->frame[below(s->frames)];
  static const unsigned char odd[] = {0, 1, 0x7f, 0x80, 0xff};
  at[below(WIRE_HEADER + 12)] = below(2) ? odd[below(sizeof odd)] : (unsigned char)below(256);
}

static void damage_bits(struct session *s)
{
  for (unsigned n = 1 + below(8); n; n--) s->bytes[1 + below(s->size - 1)] ^= (unsigned char)(1u << below(8));
}

static void damage(struct session *s)
{
  switch (below(6)) {
  case 0: shuffle(s); break;
  case 1: damage_header(s); break;
  case 2: damage_bits(s); break;
  case 3: s->size = 1 + below(s->size); break;
  case 4:
    shuffle(s);
    damage_header(s);
    break;
  default:
    damage_header(s);
    damage_header(s);
    damage_bits(s);
    break;
  }
}

/* ---- tests ---- */

static void test_sessions_are_right(void)
{
  static struct session s;
  fuzz_accepted = fuzz_refused = fuzz_waiting = 0;
  daemon_session(&s);
  const unsigned frames = s.frames;
  LLVMFuzzerTestOneInput(s.bytes, s.size);
  CU_ASSERT(fuzz_accepted == frames && fuzz_refused == 0 && fuzz_waiting == 0);
  launcher_session(&s);
  LLVMFuzzerTestOneInput(s.bytes, s.size);
  CU_ASSERT(fuzz_accepted == frames + s.frames && fuzz_refused == 0 && fuzz_waiting == 0);
}

static void test_damaged_sessions(void)
{
  static struct session right[2], s;
  daemon_session(&right[0]);
  launcher_session(&right[1]);
  fuzz_accepted = fuzz_refused = fuzz_waiting = 0;
  for (unsigned i = 0; i < SESSIONS; i++) {
    s = right[i % 2];
    damage(&s);
    LLVMFuzzerTestOneInput(s.bytes, s.size);
  }
  printf("%d sessions: %lu frames accepted, %lu sessions refused, %lu ended within a frame\n", SESSIONS,
      fuzz_accepted, fuzz_refused, fuzz_waiting);
  CU_ASSERT(fuzz_refused > SESSIONS / 4 && fuzz_accepted > SESSIONS && fuzz_waiting > SESSIONS / 100);
}

static void test_pure_noise(void)
{
  static uint8_t noise[4096];
  for (unsigned i = 0; i < 20000; i++) {
    const unsigned n = below(sizeof noise);
    for (unsigned k = 0; k < n; k++) noise[k] = (uint8_t)below(256);
    LLVMFuzzerTestOneInput(noise, n);
  }
  CU_PASS("no noise does harm");
}

int main(void)
{
  const struct unit_test tests[] = {{"sessions without damage pass", test_sessions_are_right},
      {"damaged sessions", test_damaged_sessions}, {"noise", test_pure_noise}};
  random_begin();
  return RUN_SUITE("launcher and daemon", tests);
}
