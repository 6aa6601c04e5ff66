__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *a, int s) {
  int v;
  int x = sub_group_broadcast(a[get_global_id(0)], 0);
  int y = get_local_id(0); y = work_group_broadcast(y, 0);
  int z = get_local_id(0) - get_sub_group_local_id();
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\n" : "=rw"(v) : "rw.u"(x + y + z + sub_group_reduce_add((int)get_local_id(0)) + intel_sub_group_shuffle(a[get_global_id(0)], 0) + (int)sizeof(a[get_global_id(0)])));
  a[get_global_id(0)] = v;
}
