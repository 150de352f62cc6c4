/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Channels of messages between nodes that share no memory. */
#ifndef EXTENDED_TEAM_MESSAGES_H
#define EXTENDED_TEAM_MESSAGES_H
#include "extended/team.h"

void pst_messages_open(void);
/* The most bytes of one. */
size_t pst_messages_room(void);
/* 1 when sent; 0 where the other has too many to take. */
int pst_messages_send(gasnet_node_t node, uint32_t tag, const void *data, size_t n);
/* 1 when the next one from there was taken: n bytes of it are in `to`. Who gets 0 repeats it, with the same
 * arguments, before he asks for another one from there. What came was something else: -1. */
int pst_messages_receive(gasnet_node_t node, uint32_t tag, void *to, size_t n);

/* What does not go through a channel itself, but in its place an address: the other end says when it has read
 * what is there, and this end counts how often it has said so. */
void pst_messages_tell_read(gasnet_node_t node);
uint32_t pst_messages_reads(gasnet_node_t node);

#endif
