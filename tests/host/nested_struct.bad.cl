typedef struct { uchar tag; ushort size; } head_t;
typedef struct { head_t head; global uint *data; } packet_t;
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uint *p) {
  packet_t q;
  q.head.size = 3; q.data = p + get_global_id(0);
  __asm__ volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(q.data), "rw"(q.head.size));
}
