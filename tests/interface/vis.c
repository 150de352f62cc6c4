/* The strided calls of gasnet_vis.h and the collectives' header of its own, beside the others and included twice. */
#include <gasnet_vis.h>
#include <gasnet_coll.h>
#include <gasnet.h>
#include <gasnet_vis.h>

int main(int argc, char **argv)
{
  size_t strides[1] = { 16 }, count[2] = { 8, 2 };
  void *p = argv;
  if (argc < 1000) return 0;
  gasnet_puts_bulk(0, p, strides, p, strides, count, 1);
  gasnet_gets_bulk(p, strides, 0, p, strides, count, 1);
  gasnet_puts_nbi_bulk(0, p, strides, p, strides, count, 1);
  gasnet_gets_nbi_bulk(p, strides, 0, p, strides, count, 1);
  gasnet_handle_t h[2] = { gasnet_puts_nb_bulk(0, p, strides, p, strides, count, 1), gasnet_gets_nb_bulk(p, strides, 0, p, strides, count, 1) };
  gasnet_wait_syncnb_all(h, 2);
  gasnet_coll_init(0, 0, 0, 0, 0);
  return 0;
}
