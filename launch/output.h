/* --tag-output: reads what the processes print and passes it on line by line, "[node] " before each. */
#ifndef LAUNCH_OUTPUT_H
#define LAUNCH_OUTPUT_H
#include "core/bootstrap/loop.h"

struct output;

/* Makes two pipes a node; ends the process when it cannot. */
struct output *output_open(unsigned nodes);
/* In the child: standard output and error become the pipes. */
void output_child(struct output *o, unsigned node);
/* In the parent once all children are started: closes their ends and fills watch[2 * nodes]. */
void output_watch(struct output *o, struct pst_loop_fd *watch);
/* Last lines without an end, and what the reader was too slow to take. */
void output_close(struct output *o);

#endif
