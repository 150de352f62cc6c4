/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A run: the jobs of the plan, what they are given, and what they say. */
#include "bench/control/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/arguments.h"

static double seconds_now(void) { return 1e-9 * bench_now_ns(); }

/* ---- the job that runs, and signals that end it ---- */

enum { JOB_LINE = 1024 };
struct job {
  const char *command; /* for a shell: variables, program and arguments */
  double patience;     /* seconds without a line, after which it is ended */
  int first_complaint; /* the first complaint says why it failed; else the last */
  /* Of a job that has ended: */
  int failed;
  const char *reason;       /* why there is no further result; NULL: it was interrupted */
  char complaint[JOB_LINE]; /* the first or last such line with a letter, or "" */
};

static volatile sig_atomic_t came, ending; /* a signal, or 0; how often the job was asked to end */
static volatile pid_t running;             /* the job's process group, or 0 */

/* The launcher needs a moment to end the nodes; where it does not, they end with it. */
static void job_stop(void)
{
  enum { MOMENT = 5 };
  if (!running) return;
  kill(-running, ending++ ? SIGKILL : SIGTERM);
  alarm(MOMENT);
}

static void note_signal(int signal)
{
  const int error = errno;
  if (signal != SIGALRM) came = signal;
  job_stop();
  errno = error;
}

int run_interrupted(void) { return came; }

/* ---- how far the run is, on a terminal ---- */

/* Something else is to be written: the line is out of the way until the next point. */
static void progress_clear(void)
{
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* The time left follows from the time so far; in the first tenth of the run, from the plan. */
static void progress_show(const struct run *run, const struct result *doing)
{
  static const char full[] = "########################", rest[] = "........................";
  const unsigned count = run->r->count, waiting = report_count(run->r, WAITING), done = count - waiting;
  const int part = (int)(done * (sizeof full - 1) / count);
  struct winsize w;
  if (!isatty(STDERR_FILENO)) return;
  const double each = done * 10 < count ? run->seconds : (seconds_now() - run->start) / done;
  const int known = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20;
  const char *text = doing->test;
  if (doing->points != BENCH_ONE) text = text_add(text, " ", point_text(doing));
  if (doing->points != BENCH_NODES) text = text_add(text, " ", text_of("on %u nodes", doing->nodes));
  const char *line = text_of("[%.*s%s] %3u %%  about %.0f s left  %s by %s", part, full, rest + part,
      done * 100 / count, each * waiting, text, doing->conduit);
  fprintf(stderr, "\r\033[K%.*s", known ? w.ws_col - 1 : 79, line);
}

/* One that waits, or for NULL all that do. */
static void job_miss(const struct run *run, const struct result *one, const char *reason)
{
  EACH_OF_JOB (each, run) {
    if ((one && each != one) || each->state != WAITING) continue;
    each->state = MISSING;
    each->missing = text_plain(reason);
  }
}

/* ---- where programs lie ---- */

/* The path of a program, or library, that measures; NULL: there is none, as *missing says. */
static const char *find(const struct settings *s, const char *name, const char **missing)
{
  const char *here = program_directory(), *installed = PST_LIBDIR, *path;
  const char *in[] = {s->workers ? s->workers : text_of("%s/../libexec", here),
      text_of("%s/../lib/penstock", here), text_of("%s/../lib64/penstock", here),
      text_of("%s/penstock", installed)};
  for (unsigned i = 0; i < (s->workers ? 1 : sizeof in / sizeof *in); i++)
    if (access(path = text_of("%s/%s", in[i], name), R_OK) == 0) return path;
  *missing = text_of("%s is neither in %.70s/../libexec nor in %.70s/penstock", name, here, installed);
  if (s->workers) *missing = text_of("there is no %s in %.180s", name, s->workers);
  return NULL;
}

/* The library that is the bare transport of a conduit, or "mpi"; without one there is a note, and NULL. */
static const char *find_raw(struct run *run, const char *name, const char *what)
{
  const char *missing = "it is on this host alone, and mpirun has other options than gasnetrun", *path = NULL;
  if (!run->s->hosts.count || strcmp(name, "mpi") != 0)
    path = find(run->s, text_of("gasnetbench-raw-%s.so", name), &missing);
  if (!path) report_note(run->r, text_of("no %s was measured: %.200s", what, missing));
  return path;
}

/* What --raw is for the result: "none", "smp" or the path of a library. Beside Open MPI and of OpenCoarrays,
 * whose jobs mpirun starts, *mpi is set. */
static const char *ask_raw(struct run *run, const struct result *result, int *mpi)
{
  const struct target *t = &run->s->target[result->target];
  *mpi = result->of->program == BENCH_OPENCOARRAYS;
  if (*mpi || !run->s->raw || result->of->program == BENCH_TWO_KINDS) return "none";
  const char *path = result->of->flags & BENCH_MPI ? find_raw(run, "mpi", "Open MPI") : NULL;
  if ((*mpi = path != NULL)) return path;
  if (!target_is_network(t)) return "smp";
  path = find_raw(run, t->conduit, "bare transport");
  return path ? path : "none";
}

/* ---- what a job is given ---- */

/* As a shell takes it. */
static const char *quoted(const char *text)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=%@:,./";
  const char *quote = strchr(text, '\'');
  if (*text && !text[strspn(text, plain)]) return text;
  if (!quote) return text_of("'%s'", text);
  return text_of("'%.*s'\\'%s", (int)(quote - text), text, quoted(quote + 1));
}

/* Nodes of one host that are to talk over a network share no memory. */
static const char *environment(const struct run *run, const struct result *first)
{
  const struct target *t = &run->s->target[first->target];
  const unsigned flags = run->other ? 0 : first->of->flags;
  const int network = target_is_network(t), ofi = t->conduit && strcmp(t->conduit, "ofi") == 0;
  const int mpi = network && flags & BENCH_MPI, shmem = first->of->program == BENCH_OPENSHMEM;
  const struct {
    const char *name, *value;
    int wanted, unless_set;
  } variable[] = {{"GASNET_SPAWN_VERBOSE", "1", run->said != NULL, 0},
      {"GASNET_CONDUIT", t->conduit, t->conduit != NULL, 0},
      {ofi ? "GASNET_OFI_PROVIDER" : "UCX_TLS", t->transport, t->transport != NULL, 0},
      {"UCX_LOG_LEVEL", "error", network && !ofi, 1}, /* not what it has to say about versions */
      {"GASNET_SUPERNODE_MAXSIZE", "1", network && !run->s->hosts.count, 0}, {"OMPI_MCA_pml", "ob1", mpi, 1},
      {"OMPI_MCA_btl", "tcp,self", mpi, 1}, {"GASNET_AM_ONLY", "1", flags & BENCH_AM_ONLY, 0},
      {"GASNET_COALESCE", "0", flags & BENCH_SINGLY, 0},
      {"GASNET_PROGRESS_THREAD", "1", flags & BENCH_PROGRESS_THREAD, 0},
      {"SMA_SYMMETRIC_SIZE", "64M", shmem, 1}};
  const char *text = "";
  for (unsigned i = 0; i < sizeof variable / sizeof *variable; i++)
    if (variable[i].wanted && !(variable[i].unless_set && getenv(variable[i].name)))
      text = text_add(text, " ", text_of("%s=%s", variable[i].name, quoted(variable[i].value)));
  return text;
}

/* What the worker calls the test. */
static const char *worker_test(const struct result *r) { return r->of->of ? r->of->of : r->test; }

/* "TEST:P,P;TEST:P" of those that wait; "": none does. */
static const char *points_list(const struct run *run)
{
  const char *list = "", *last = "";
  EACH_OF_JOB (each, run) {
    if (each->state != WAITING) continue;
    const int further = strcmp(last, each->test) == 0;
    list = text_add(
        list, further ? "," : ";", further ? each->point : text_of("%s:%s", worker_test(each), each->point));
    last = each->test;
  }
  return list;
}

/* Debian's name comes first: mpirun may be another MPI's. More nodes than processors are allowed, as by
 * gasnetrun, and the workers bind themselves. A job of fewer nodes than the run has is spread over as many
 * hosts as it can be. */
static const char *launcher(const struct settings *s, unsigned nodes, int mpi)
{
  const unsigned hosts = s->hosts.count;
  const char *text = quoted(text_of("%s/gasnetrun", program_directory()));
  if (mpi)
    text = "sh -c 'exec $(command -v mpirun.openmpi || echo mpirun) \"$@\"' mpirun --oversubscribe --bind-to "
           "none";
  if (s->hosts_option) text = text_of("%s %s %s", text, s->hosts_option, quoted(s->hosts_text));
  if (hosts && nodes < s->nodes) text = text_of("%s -N %u", text, hosts < nodes ? hosts : nodes);
  return text_of("%s -n %u", text, nodes);
}

/* As many bare processes as the result has nodes, all at once: each is forked and ends, or on a network opens
 * and closes one endpoint. */
static const char *bare_command(struct run *run, const struct result *first, const char *worker)
{
  int mpi;
  const char *raw = ask_raw(run, first, &mpi);
  const char *one = strcmp(raw, "smp") == 0 ? ":"
                                            : text_of("%s --bare-start %s", quoted(worker), quoted(raw));
  return text_of("%s sh -c 'n=$1; shift; while [ $((n -= 1)) -ge 0 ]; do \"$@\" & all=\"$all $!\"; done; "
                 "for one in $all; do wait $one || exit; done' sh %u %s",
      environment(run, first), first->nodes, one);
}

/* The command of the job of `first`, whose worker measures what still waits; or which only starts. Returns
 * NULL, or why there is no such worker. mpirun says what is wrong first, then much advice. */
static const char *ask(struct run *run, const struct result *first, int start, struct job *job)
{
  const enum bench_program by = first->of->program;
  const int par = first->threads > 1 || (run->s->par && by != BENCH_TWO_KINDS) ||
      (first->of->flags & BENCH_PAR && !run->other);
  const char *name = by == BENCH_OPENSHMEM ? "shmem"
      : by == BENCH_XCALABLEMP             ? "xmp"
      : by == BENCH_COARRAYS               ? "caf"
      : by == BENCH_OPENCOARRAYS           ? "opencoarrays"
      : par                                ? "par"
                                           : "seq";
  const char *missing, *worker = find(run->s, text_of("gasnetbench-%s", name), &missing);
  if (!worker) return missing;
  if (by == BENCH_OPENCOARRAYS && run->s->hosts.count)
    return "mpirun has other options than gasnetrun for hosts";
  if (start && run->other) {
    job->command = bare_command(run, first, worker);
    return NULL;
  }
  const char *raw = start ? NULL : ask_raw(run, first, &job->first_complaint);
  job->command = text_of("%s %s %s", environment(run, first),
      launcher(run->s, first->nodes, job->first_complaint), quoted(worker));
  if (start) job->command = text_of("%s --start", job->command);
  else
    job->command = text_of("%s --worker %s --raw %s --seconds %.4f --rounds %u --threads %u%s", job->command,
        quoted(points_list(run)), quoted(raw), run->seconds, run->s->rounds, first->threads,
        run->s->unpinned ? " --unpinned" : "");
  return NULL;
}

/* ---- what a job says, and how it ends ---- */

static int stats_are_right(const struct bench_summary *s)
{
  return s->n >= 1 && s->n <= 1000000000 && isfinite(s->least) && isfinite(s->p99) && isfinite(s->q1) &&
      isfinite(s->q3) && s->q1 <= s->median && s->median <= s->q3;
}

/* "NODES THREADS", six numbers, and perhaps "raw", as many of the bare transport, the ratio. */
static int hear_point(struct result *which, const char *rest)
{
  struct result heard = *which;
  struct bench_summary *s = &heard.ours, *raw = &heard.raw;
  int ours_end = 0, raw_end = 0;
  heard.raw.n = 0;
  heard.ratio = 0;
  heard.state = MEASURED;
  sscanf(rest, "%u %u %u %lf %lf %lf %lf %lf %n raw %u %lf %lf %lf %lf %lf %lf %n", &heard.nodes,
      &heard.threads, &s->n, &s->median, &s->least, &s->p99, &s->q1, &s->q3, &ours_end, &raw->n, &raw->median,
      &raw->least, &raw->p99, &raw->q1, &raw->q3, &heard.ratio, &raw_end);
  const int end = raw_end ? raw_end : ours_end;
  if (!end || rest[end] || heard.nodes != which->nodes || heard.threads != which->threads) return 0;
  if (!stats_are_right(s) || (raw_end && !stats_are_right(raw)) || !isfinite(heard.ratio) || heard.ratio < 0)
    return 0;
  *which = heard;
  return 1;
}

/* Was the worker's line understood? */
static int hear_word(struct run *run, const char *line)
{
  char word[16], test[32], point[24];
  int used = 0;
  /* The transport to the end of the line. Nodes of one host share memory whatever was asked for. A worker
   * that chose its conduit itself says only that it is a network: ask_network knows more. */
  if (sscanf(line, "@about %15s %n", word, &used) == 1 && line[used]) {
    EACH_OF_JOB (each, run) {
      if (strcmp(word, "network") != 0 || *each->conduit == '?') each->conduit = text_plain(word);
      if (strcmp(line + used, "-") != 0) each->transport = text_plain(line + used);
    }
    return 1;
  }
  if (sscanf(line, "%15s %31s %23s %n", word, test, point, &used) < 3) return 0;
  struct result *which = NULL;
  const char *rest = line + used;
  EACH_OF_JOB (each, run)
    if (!which && strcmp(each->point, point) == 0 && strcmp(worker_test(each), test) == 0) which = each;
  if (!which) return 0;
  if (strcmp(word, "@point") == 0) return hear_point(which, rest);
  if (strcmp(word, "@doing") == 0 && !*rest) progress_show(run, run->doing = which);
  else if (strcmp(word, "@missing") == 0) job_miss(run, which, *rest ? rest : "the worker did not say why");
  else return 0;
  return 1;
}

/* Takes a line of standard output or error. Lines that are not a worker's own are passed on: 0. */
static int hear_line(struct run *run, const char *line)
{
  const int own = line[0] == '@';
  const char *said = run->said ? strstr(line, "): conduit ") : NULL;
  if (said) run->said = text_plain(text_of("%.200s", said + strlen("): conduit ")));
  if (run->said) return 1;
  if (own && hear_word(run, line)) return 1;
  progress_clear();
  fprintf(stderr, "%s%s\n", own ? "gasnetbench: a worker said what is not understood: " : "", line);
  return own;
}

/* ---- jobs ---- */

/* The launcher ends its job by SIGTERM, which it also gets when this program ends, and nothing is left of it.
 * It has a process group of its own: what a terminal sends to ours goes to the job by way of us alone. The
 * bounds of --check are for two processors, whatever the machine has. */
static _Noreturn void become_job(const struct run *run, const struct job *job, int out)
{
  int core[2];
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
  dup2(out, 1);
  dup2(out, 2);
  if (run->s->check && !run->s->unpinned) bench_pin(core, bench_cores(core, 2));
  execl("/bin/sh", "sh", "-c", "eval \"exec env $0\"", job->command, NULL);
  _exit(127);
}

/* The group is set on both sides: one must be first. A signal ends a read, and the job with it. */
static void job_follow(struct run *run, struct job *job, pid_t pid, FILE *output)
{
  static char line[16 * JOB_LINE];
  int status = 0;
  setpgid(pid, pid);
  ending = 0;
  running = pid;
  if (came) job_stop();
  else alarm((unsigned)ceil(job->patience));
  while (!ending && fgets(line, sizeof line, output)) {
    if (!ending) alarm((unsigned)ceil(job->patience));
    line[strcspn(line, "\n")] = '\0';
    if (hear_line(run, line) || !strpbrk(line, "abcdefghijklmnopqrstuvwxyz")) continue;
    if (*job->complaint && job->first_complaint) continue;
    snprintf(job->complaint, sizeof job->complaint, "%.*s", JOB_LINE - 1, line);
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  alarm(0);
  running = 0;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  job->failed = came || ending || code != 0;
  if (came) job->reason = NULL;
  else if (ending) job->reason = text_of("its job said nothing for %.0f s and was ended", job->patience);
  else if (!code) job->reason = "its job printed no result";
  else
    job->reason = text_of(
        "its job ended with code %d%s%.200s", code, *job->complaint ? ": " : "", job->complaint);
}

/* One job of those that `first` belongs to, which measures what waits of them, or only starts and ends. What
 * it leaves without a value is missing then, unless it was interrupted. Where it has failed while it was
 * doing one of several, this one is: a further job can do the rest. Returns the seconds that it took. */
static double run_job(struct run *run, const struct result *first, int start)
{
  const double longer = start ? 0 : 20 * run->seconds + (run->s->rounds ? 600 : 0);
  struct job job = {.patience = 60 + 0.2 * first->nodes + longer,
      .failed = 1,
      .reason = "its job could not be started: no more processes or files"};
  int end[2];
  run->doing = NULL;
  const char *missing = ask(run, first, start, &job);
  if (missing) {
    job_miss(run, NULL, missing);
    return 0;
  }
  if (run->s->verbose && !run->said) progress_clear(), fprintf(stderr, "gasnetbench: %s\n", job.command);
  const double began = seconds_now();
  fflush(NULL);
  if (pipe2(end, O_CLOEXEC) == 0) {
    FILE *output = memory_needed(fdopen(end[0], "r"));
    const pid_t pid = fork();
    if (pid == 0) become_job(run, &job, end[1]);
    close(end[1]);
    if (pid > 0) job_follow(run, &job, pid, output);
    fclose(output);
  }
  const int one = job.failed && run->doing && run->doing->state == WAITING;
  if (job.reason && !run->said && (!start || job.failed)) job_miss(run, one ? run->doing : NULL, job.reason);
  return seconds_now() - began;
}

/* ---- two kinds of jobs, in turn, backwards every other time: a value is the median of its jobs' ---- */

enum { SAMPLES_MOST = 101 };
struct samples {
  double of[2][SAMPLES_MOST]; /* of the others, and ours */
};

static void samples_take(struct result *r, const struct samples *s, unsigned n, int others)
{
  double ratio[SAMPLES_MOST], sorted[SAMPLES_MOST];
  struct bench_summary ratios;
  bench_summarise(s->of[1], n, sorted, &r->ours);
  r->state = MEASURED;
  if (!others) return;
  for (unsigned i = 0; i < n; i++) ratio[i] = s->of[1][i] / s->of[0][i];
  bench_summarise(ratio, n, sorted, &ratios);
  bench_summarise(s->of[0], n, sorted, &r->raw);
  r->ratio = ratios.median;
}

/* The k-th sample of each result of the job, which waits again then; 0: one is missing, and so are all. Of
 * jobs that only start it is the seconds that they took. */
static int run_sample(struct run *run, struct result *first, struct samples *s, unsigned k)
{
  const int start = first->of->program == BENCH_CONTROLLER;
  const char *missing = NULL;
  progress_show(run, first);
  const double took = run_job(run, first, start);
  if (start && first->state == WAITING) first->ours.median = took, first->state = MEASURED;
  EACH_OF_JOB (each, run) {
    if (each->state == MISSING) missing = each->missing;
    if (each->state != MEASURED) continue;
    s[each - run->r->result].of[!run->other][k] = each->ours.median;
    each->state = WAITING;
  }
  if (missing) job_miss(run, NULL, missing);
  return !missing && !run_interrupted();
}

/* What starting a job and ending it costs, beside as many bare processes; or a test in jobs with the test's
 * flags, beside those without. */
static void run_pairs(struct run *run, struct result *first)
{
  enum { LEAST = 3, PAIRS = 7, PAIRS_CHECKED = 15 };
  const int start = first->of->program == BENCH_CONTROLLER;
  const int others = !start || (!run->s->hosts.count && strcmp(ask_raw(run, first, &(int){0}), "none") != 0);
  const double began = seconds_now(), seconds = run->seconds;
  const unsigned rounds = run->s->rounds < SAMPLES_MOST ? run->s->rounds : SAMPLES_MOST,
                 most = rounds ? rounds
      : start                  ? SAMPLES_MOST
      : run->s->check          ? PAIRS_CHECKED
                               : PAIRS;
  struct samples *s = memory_needed(calloc(run->r->count, sizeof *s));
  unsigned n = 0;
  int good = 1;
  if (!start) run->seconds = fmax(seconds / most, 0.05);
  for (; good && n < most; n++) {
    if (start && !rounds && n >= LEAST && seconds_now() - began > 3 * seconds) break;
    for (int i = 0; good && i <= others; i++) {
      run->other = others && n % 2 == (unsigned)i;
      good = run_sample(run, first, s, n);
    }
  }
  run->other = 0;
  run->seconds = seconds;
  EACH_OF_JOB (each, run)
    if (good) samples_take(each, &s[each - run->r->result], n, others);
  free(s);
}

/* ---- all ---- */

/* Two nodes that only start say by what they talk: "penstock: node 0 of 2 (host): conduit ofi: provider tcp,
 * device eth0", the last such line. */
static void ask_network(struct run *run, unsigned target)
{
  char conduit[8], transport[96] = "-";
  struct result two = {0};
  EACH_RESULT (each, run->r)
    if (!two.of && each->target == target && each->of->program == BENCH_GASNET) two = *each;
  if (!two.of) return;
  two.nodes = 2;
  run->job = two.job;
  run->said = "";
  run_job(run, &two, 1);
  const int heard = sscanf(run->said, "%7[^: ]: provider %95[^, ]", conduit, transport) >= 1;
  if (heard) run->r->place.network = text_add(run->r->place.network, "; ", run->said);
  EACH_RESULT (each, run->r) {
    if (!heard || each->target != target) continue;
    each->conduit = text_of("%s", conduit);
    if (strcmp(each->transport, "-") == 0) each->transport = text_of("%s", transport);
  }
  run->said = NULL;
}

/* A job that fails leaves less for the next: what it was doing is missing. Each may take all its patience. */
void run_all(struct run *run)
{
  enum { TRIES = 4 };
  static const int caught[] = {SIGALRM, SIGINT, SIGTERM, SIGHUP};
  struct sigaction old, catch = {.sa_handler = note_signal};
  struct result *first;
  /* What is ignored, as after nohup, remains so. */
  for (unsigned i = 0; i < sizeof caught / sizeof *caught; i++)
    if (sigaction(caught[i], NULL, &old) == 0 && (!i || old.sa_handler != SIG_IGN))
      sigaction(caught[i], &catch, NULL);
  for (unsigned t = 0; t < run->s->targets && !run_interrupted(); t++)
    if (target_is_network(&run->s->target[t])) ask_network(run, t);
  run->start = seconds_now();
  for (run->job = 0; run->job < run->jobs && !run_interrupted(); run->job++) {
    for (first = run->r->result; first->job != run->job;) first++;
    progress_show(run, first);
    const enum bench_program by = first->of->program;
    if (by == BENCH_CONTROLLER || by == BENCH_TWO_KINDS) run_pairs(run, first);
    else
      for (unsigned n = 0; *points_list(run) && !run_interrupted(); n++)
        if (n == TRIES) job_miss(run, NULL, text_of("%d jobs that were to measure it have failed", TRIES));
        else run_job(run, first, 0);
  }
  progress_clear();
}
