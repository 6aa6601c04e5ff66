// A variable of a structure.
struct pair { int lo; int hi; };
kernel void k(global int *p) {
  struct pair s;
  asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p + get_global_id(0)), "rw"(s.hi));
{
}

// A type without a semicolon.
kernel void k(global uint *p) {
  packet_t q;
typedef struct { head_t head; global uint *data; } packet_t-
  __asm__ volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(q.data), "rw"(q.head.size));

// A word between a function and its body.
kernel void test(global int *a, global int *b, int s)
ud
    const int tid = get_global_id(0rw;
    int y = 0;
    for (int i = 0; i < 2; i++) {
    __asm__ volatile(
        ".decl tmp v_type=G type=d num_elts=16 align=GRF\n"
        "mov (M1, 16) tmp(0,0)<1> %1(0,0)<1;1,0>\n"
        "mov (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0>\n"
        : "=rw"(y)
        : "rw"(x));

// A call that is not closed within an operand.
kernel void k(global int *a, int s) {
  int x = sub_group_broadcast(a[get_global_id(0)mov, 0);
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\n" : "=rw"(v) : "rw.u"(x + y + z + sub_group_reduce_add((int)get_local_id(0)) + intel_sub_group_shuffle(a[get_global_id(0)], 0) + (int)sizeof(a[get_global_id(0)])));
