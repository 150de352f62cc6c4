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
    bad_heap) printf 'XMP_HEAP_SIZE=%s\n' lots -1 1e9 5MM 18446744073709551616 ;;
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
map_short file.c:11: template u: the map of dimension 1 has 1 of the 2 entries that nodes p need
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
gmove_out_own file.c:19: gmove out: b lies on nodes that each node selects by its own coordinates
loop_step_zero file.c:21: the step of the loop is 0: it does not go to the loop's end
loop_step_back file.c:21: the step of the loop is 2: it does not go to the loop's end
array_length file.c:20: the section of t has 5 indices in dimension 1, and that of a 4 elements
array_elsewhere file.c:20: index 5 of dimension 1 of a is on another node than the template's
expand_cyclic file.c:18: dimension 1 is distributed cyclically: its width must be 0
threads_at_once file.c:23: another thread of the parallel region is in file.c:22 meanwhile; one thread at a
inner_region file.c:8: in a parallel region of OpenMP within another one the executing nodes are not known; do
bad_heap the start: XMP_HEAP_SIZE is "(lots|-1|1e9|5MM|18446744073709551616)"; it must be a number of bytes
large_heap the start: XMP_HEAP_SIZE is "99999T"; it must be a number of bytes from 0 to [0-9]+, or
END

misuse xmp/local_misuse <<'END'
image_beyond file.c:7: there is no image 2: there are 2, which count from 0
image_negative file.c:7: there is no image -2: there are 2, which count from 0
coindex_beyond file.c:7: coindex 1 of box is 2: the codimension has 2
coindex_last file.c:7: the coindices of box name image 2; there are 2 images, which count from 0
coindex_count file.c:7: box has 2 codimensions, not 1
beyond_object file.c:7: 32 bytes from byte 72 of box are not within its 96 bytes
stack_coarray file.c:8: local is no object of static storage that all nodes have in the same place
section_beyond file.c:9: left: subscript 1 goes from 1 to 4; the dimension has 0 to 3
section_ranks file.c:9: the left side has 2 dimensions, and the right side 1
section_types file.c:9: the types of the two sides differ: elements have 4 and 4 bytes, but are of other types
sync_beyond xmp_sync_image: there is no image 2: there are 2, which count from 0
sync_set xmp_sync_images: there is no image 5: there are 2, which count from 0
sync_negative xmp_sync_images: a set of -1 images
image_twice file.c:10: an image directive within the statement of another
post_to_all file.c:11: one node has to be named, and 2 nodes are
lock_twice file.c:12: this image has the lock already
unlock_free file.c:12: no image has the lock
lock_other file.c:12: another image has the lock
stopped xmp_sync_image: an image that it waits for has come to the end of its program
range_dims xmp_allocate_range: 8 dimensions; from 1 to 7 are possible
range_dim xmp_set_range: dimension 2 of a range of 1; they count from 1
range_step xmp_set_range: the step of dimension 1 is 0
range_beyond xmp_fread_darray_all: the range of dimension 1 goes from 2 to 10; ten has 0 to 9 there
range_shape xmp_fread_darray_all: the range and square have different numbers of dimensions, 1 and 2
file_nodes xmp_fread_darray_all: this must be a global array
sort_length xmp_sort_up: ten has 10 elements, and nine has 9
sort_type xmp_sort_up: text cannot be sorted: its elements are of a type that is no number
transpose_vector xmp_transpose: ten must have 2 dimensions, and has 1
matmul_itself xmp_matmul: the result square is an operand, too
gather_index xmp_gather: index 9 of dimension 1 of nine; it has 0 to 8
pack_short xmp_pack: nine has 9 elements, and 10 are wanted
END
finish
