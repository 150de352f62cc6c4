#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Directives whose values are wrong when the program runs end the job with a message that names the
# directive's place, the node and the values.
# time-limit: 120
set -u
. "$(dirname "$0")/misuse.sh"
programs() { echo "$build/tests/$1"; }
speaker() { echo 'penstock: node [01] of 2: '; }
several() { true; } # both nodes execute most directives
ways() {
  case $1 in
    bad_heap) echo XMP_HEAP_SIZE=lots ;;
    large_heap) echo XMP_HEAP_SIZE=99999T ;;
    *) echo ;;
  esac
}

misuse xmp/misuse <<'END'
nodes_too_many file.c:7: the shape of nodes q\[3\]\[5\] does not fit 2 nodes
nodes_too_few file.c:7: the shape of nodes q\[1\] does not fit 2 nodes
nodes_no_multiple file.c:7: the shape of nodes q\[\*\]\[3\] does not fit 2 nodes
nodes_two_stars file.c:7: nodes q\[\*\]\[\*\]: sizes are above 0, and one may be \*
nodes_negative file.c:7: nodes q\[-4\]: sizes are above 0, and one may be \*
node_beyond file.c:8: p: subscript 1 is 2; the dimension has 0 to 1
node_section_beyond file.c:8: p: subscript 1 goes from 1 to 2; the dimension has 0 to 1
node_subscripts file.c:8: p has 1 dimension, and 2 subscripts are given
step_zero file.c:8: p: the step of subscript 1 is 0
negative_length file.c:8: p: the length of subscript 1 is -1
index_beyond file.c:8: t: subscript 1 goes from 3 to 10; the dimension has 0 to 9
not_fixed file.c:8: template open is not fixed yet: template_fix has to come first
on_array file.c:8: this must be a node array or a template, and is neither
not_declared file.c:9: the descriptor is NULL: the object is not declared yet
outside_task file.c:8: the nodes of p that are named include node 0, which does not execute this
block_too_small file.c:11: template u: 2 blocks of 4 do not hold the 10 indices of dimension 1; 5 would
too_many_dims file.c:11: template u is distributed in 2 dimensions, but nodes p have 1
too_few_dims file.c:11: template u is distributed in 0 dimensions, but nodes p have 1
map_sum file.c:11: template u: the map of dimension 1 has 9 indices, and the dimension 10
map_negative file.c:11: template u: entry 1 of the map of dimension 1 is -1
fixed_twice file.c:12: template t is fixed already
fixed_otherwise file.c:12: template open: the format of dimension 1 is not the declared one
fixed_without_bounds file.c:12: template open has no bounds, and none are given
array_beyond file.c:13: b: dimension 1 has the indices 1 to 10 of template t, which has 0 to 9 there
array_negative file.c:13: b: the length of dimension 1 is -1
axis_missing file.c:13: b: dimension 1 is aligned with dimension 2 of t, which has 1
shadow_collapsed file.c:13: b: dimension 1 is not distributed and cannot have a shadow
shadow_cyclic file.c:13: b: dimension 1 is distributed cyclically and cannot have a shadow
array_too_large file.c:13: out of memory for b: 45035996273705[0-9]* bytes are wanted, .* raise XMP_HEAP_SIZE
parameter_local file.c:14: x: the argument is not the name of a global array
parameter_length file.c:14: x: the argument a, of .*misuse.c:[0-9]*, has another length than the parameter
parameter_shadow file.c:14: x: the argument a, of .*misuse.c:[0-9]*, has another shadow than the parameter
malloc_array file.c:15: xmp_malloc: this must be a pointer that is aligned with a template
malloc_dims file.c:15: xmp_malloc: pointer has 1 dimension, and 2 lengths are given
malloc_length file.c:15: xmp_malloc: the length of dimension 1 of pointer is 0
reflect_early file.c:16: global array pointer has no memory yet: xmp_malloc has to come first
loop_without_on file.c:17: a loop needs an on clause
expand_cyclic file.c:18: dimension 1 is distributed cyclically: its width must be 0
bad_heap the start: XMP_HEAP_SIZE is "lots"; it must be a number of bytes from 0 to [0-9]+, or
large_heap the start: XMP_HEAP_SIZE is "99999T"; it must be a number of bytes from 0 to [0-9]+, or
END
finish
