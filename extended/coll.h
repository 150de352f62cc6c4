/* The collectives that ordinary clients use. */
#ifndef EXTENDED_COLL_H
#define EXTENDED_COLL_H
void pst_coll_open(void);
#endif
