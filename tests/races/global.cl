// Global memory.

// race, size 64: all of a group write one place.
kernel void race_one_place(global int *out) { out[0] = get_local_id(0); }
// free, size 64
kernel void free_one_place(global int *out) { if (get_global_id(0) == 0) out[0] = 7; }
// race, size 64: the neighbour's place is read.
kernel void race_shift(global int *a) {
    int i = get_global_id(0);
    a[i] = a[i + 1] + 1;
}
// free, size 64
kernel void free_shift(global int *a, global const int *b) {
    int i = get_global_id(0);
    a[i] = b[i + 1] + 1;
}
// free, size 64
kernel void free_own_place(global int *a) {
    int i = get_global_id(0);
    a[i] = a[i] + 1;
}
// race, size 64: half of the index.
kernel void race_half(global int *a) {
    int i = get_global_id(0);
    a[i / 2] = i;
}
// race, size 128: a constant address is read and written.
kernel void race_first(global int *a) {
    int i = get_global_id(0);
    a[get_local_id(0)] = a[0] + i;
}
// race, size 8 8: two dimensions with the pitch of one.
kernel void race_square(global float *a, int n) {
    a[get_local_id(0) + get_local_id(1)] = get_local_id(0);
}
// free, size 8 8
kernel void free_square(global float *a) {
    a[get_local_id(0) + 8 * get_local_id(1)] = get_local_id(0);
}
// race, size 64: the barrier has the wrong fence for global memory, but it still orders the group; the index does not.
kernel void race_after_barrier(global int *a) {
    int i = get_local_id(0);
    a[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = a[i + 1];
}
// free, size 64
kernel void free_after_barrier(global int *a) {
    int i = get_local_id(0);
    a[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int v = a[i ^ 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = v;
}
// race, size 64: an array of structures that overlap.
struct pair { int first; int second; };
kernel void race_structures(global int *a) {
    int i = get_global_id(0);
    global struct pair *p = (global struct pair *)(a + i);
    p->first = i;
    p->second = i + 1000;
}
// free, size 64
kernel void free_structures(global struct pair *p) {
    int i = get_global_id(0);
    p[i].first = i;
    p[i].second = i + 1000;
}
// free, size 64: atomics of all.
kernel void free_atomics(global int *a) { atomic_add(a, (int)get_local_id(0)); }
// race, size 64: an atomic and a plain write.
kernel void race_atomic_write(global int *a) {
    if (get_local_id(0) == 40) a[0] = 5;
    else atomic_add(a, 1);
}
// free, size 64: strides over the group.
kernel void free_strided(global int *a, int n) {
    for (int i = get_local_id(0); i < n; i += 64) a[i] = i;
}
// race, size 64: a stride that is too small.
kernel void race_strided(global int *a) {
    for (int i = get_local_id(0); i < 256; i += 32) a[i] = i + get_local_id(0);
}
// free, size 64
kernel void free_strided_known(global int *a) {
    for (int i = get_local_id(0); i < 256; i += 64) a[i] = i;
}
// race, size 64: floating-point data to one place.
kernel void race_float(global float *a, global const float *b) {
    a[1] = b[get_global_id(0)] * 2.0f;
}
// race, size 64: 64-bit data.
kernel void race_long(global long *a) {
    long i = get_global_id(0);
    a[i] = a[i ^ 32] + i;
}
// free, size 64
kernel void free_long(global long *a) {
    long i = get_global_id(0);
    a[i] = a[i] + i;
}
// race, size 64: one pointer of two is selected, both are written.
kernel void race_select(global int *a, global int *b, int n) {
    int i = get_local_id(0);
    global int *p = n > 3 ? a : b;
    p[i & 7] = i;
}
// free, size 64
kernel void free_select(global int *a, global int *b, int n) {
    int i = get_local_id(0);
    global int *p = n > 3 ? a : b;
    p[i] = i;
}
// race, size 64: shorts.
kernel void race_short(global short *a) {
    int i = get_local_id(0);
    a[i] = a[i ^ 48];
}
// race, size 64: rows of a matrix in place.
kernel void race_transpose_in_place(global int *a) {
    int i = get_local_id(0), x = i & 7, y = i >> 3;
    a[x * 8 + y] = a[y * 8 + x];
}
// free, size 64: a pair is exchanged by one work-item.
kernel void free_exchange(global int *a) {
    int i = get_global_id(0);
    int x = a[2 * i], y = a[2 * i + 1];
    a[2 * i] = y;
    a[2 * i + 1] = x;
}
// free, size 64: the second word is that of another pair, which its work-item leaves alone.
kernel void free_pairs_apart(global int *a) {
    int i = get_local_id(0);
    int x = a[2 * i], y = a[2 * i + 3];
    a[2 * i] = y;
    a[2 * i + 3] = x;
}
// free, size 64: a guard leaves one work-item.
kernel void free_guard(global int *a, int n) {
    if (get_local_id(0) == 5) a[n] = n;
}
// race, size 64: a guard leaves two in different threads.
kernel void race_guard(global int *a, int n) {
    int i = get_local_id(0);
    if (i == 5 || i == 50) a[n] = i;
}
