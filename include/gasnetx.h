/* What goes beyond GASNet: non-contiguous transfers in any order and shape, to several nodes, with notification, prepared. */
#ifndef _GASNETX_H
#define _GASNETX_H
#include "gasnet_vis.h"
#include "penstock/x_notify.h"

#endif
