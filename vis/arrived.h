/* At the target of transfers with a notification: how much of each has arrived. */
#ifndef VIS_ARRIVED_H
#define VIS_ARRIVED_H
#include "vis/notify.h"

/* nbytes more of transfer `id` of node src have their place. Runs the notification when `total` is reached, in whatever order and by
 * whichever thread the messages come. Fatal where the messages of a transfer do not agree. */
void pst_arrived(gasnet_node_t src, uint32_t id, uint64_t total, uint64_t nbytes, const gasnetx_notify_t *notify);

#endif
