/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Channels of messages between nodes that share no memory. */
#ifndef EXTENDED_TEAM_MESSAGES_H
#define EXTENDED_TEAM_MESSAGES_H
#include "extended/team.h"

void pst_messages_open(void);
/* The most bytes of a message. */
size_t pst_messages_room(void);
/* 1 when sent; 0 while the receiver has too many that it has not taken. */
int pst_messages_send(gasnet_node_t node, uint32_t tag, const void *data, size_t n);
/* 1 when the next message of `node` was taken: its n bytes are in `to`. 0 when it has not come: the caller
 * repeats the call, with the same arguments, before it asks for another message of that node. -1 when it has
 * another tag or length. */
int pst_messages_receive(gasnet_node_t node, uint32_t tag, void *to, size_t n);

/* Where an address was sent in place of the data: the receiver tells that it has read the data, and the
 * sender counts how often the receiver has told so. */
void pst_messages_tell_read(gasnet_node_t node);
uint32_t pst_messages_reads(gasnet_node_t node);

#endif
