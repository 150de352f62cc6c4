/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put and get of a value in a register: 1..8 bytes in host byte order. */
#ifndef PENSTOCK_VALUE_H
#define PENSTOCK_VALUE_H
#ifdef __cplusplus
extern "C" {
#endif

gasnet_handle_t pst_value_put(
    unsigned op, gasnet_node_t node, void *dest, gasnet_register_value_t value, size_t nbytes);
gasnet_register_value_t pst_value_get(gasnet_node_t node, void *src, size_t nbytes);

/* The nbytes bytes of a value that count, in host order. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PST_VALUE_BYTES(v, nbytes) ((char *)&(v) + (sizeof(v) - (nbytes)))
#else
#define PST_VALUE_BYTES(v, nbytes) ((char *)&(v))
#endif

PST_INLINE void pst_register_store(void *dst, gasnet_register_value_t value, size_t nbytes)
{
  switch (nbytes) {
  case 1: {
    const uint8_t v = (uint8_t)value;
    __builtin_memcpy(dst, &v, 1);
    break;
  }
  case 2: {
    const uint16_t v = (uint16_t)value;
    __builtin_memcpy(dst, &v, 2);
    break;
  }
  case 4: {
    const uint32_t v = (uint32_t)value;
    __builtin_memcpy(dst, &v, 4);
    break;
  }
  case 8: __builtin_memcpy(dst, &value, 8); break;
  default: __builtin_memcpy(dst, PST_VALUE_BYTES(value, nbytes), nbytes);
  }
}

PST_INLINE gasnet_register_value_t pst_register_load(const void *src, size_t nbytes)
{
  gasnet_register_value_t value = 0;
  switch (nbytes) {
  case 1: {
    uint8_t v;
    __builtin_memcpy(&v, src, 1);
    return v;
  }
  case 2: {
    uint16_t v;
    __builtin_memcpy(&v, src, 2);
    return v;
  }
  case 4: {
    uint32_t v;
    __builtin_memcpy(&v, src, 4);
    return v;
  }
  case 8: __builtin_memcpy(&value, src, 8); return value;
  default: __builtin_memcpy(PST_VALUE_BYTES(value, nbytes), src, nbytes); return value;
  }
}

PST_INLINE gasnet_handle_t pst_put_value(
    unsigned op, gasnet_node_t node, void *dest, gasnet_register_value_t value, size_t nbytes)
{
  void *here;
  if (!pst_mapped(node, dest, &here)) return pst_value_put(op | PST_OP_VALUE, node, dest, value, nbytes);
  pst_register_store(here, value, nbytes);
  return GASNET_INVALID_HANDLE;
}

PST_INLINE void gasnet_put_val(gasnet_node_t node, void *dest, gasnet_register_value_t value, size_t nbytes)
{
  pst_put_value(0, node, dest, value, nbytes);
  PST_RELEASE_FENCE();
}
PST_INLINE gasnet_handle_t gasnet_put_nb_val(
    gasnet_node_t node, void *dest, gasnet_register_value_t value, size_t nbytes)
{
  return pst_put_value(PST_OP_NB, node, dest, value, nbytes);
}
PST_INLINE void gasnet_put_nbi_val(
    gasnet_node_t node, void *dest, gasnet_register_value_t value, size_t nbytes)
{
  pst_put_value(PST_OP_NBI, node, dest, value, nbytes);
}

/* The bytes at src, zero-extended. */
PST_INLINE gasnet_register_value_t gasnet_get_val(gasnet_node_t node, void *src, size_t nbytes)
{
  void *here;
  gasnet_register_value_t value;
  if (!pst_mapped(node, src, &here)) return pst_value_get(node, src, nbytes);
  value = pst_register_load(here, nbytes);
  PST_ACQUIRE_FENCE();
  return value;
}

/* Split-phase get of a value; every handle must be waited for once, by the thread that got it. */
gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *src, size_t nbytes);
gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle);

#ifdef __cplusplus
}
#endif
#endif
