// Races of launches with certain arguments, and data that arguments or buffers decide about. The number after "size" is the
// group.

// cond, size 64: all work-items have one place if the two arguments are zero together
kernel void cond_together(global int *out, int n, int m) {
    int i = get_local_id(0);
    out[i * (n + m)] = i;
}
// free, size 64
kernel void free_together(global int *out, int n, int m) {
    int i = get_local_id(0);
    out[i + (n + m)] = i;
}
// cond, size 64: an argument of one byte decides about the barrier
kernel void cond_byte(global int *out, global const int *in, uchar flag) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    if (flag) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i ^ 40];
}
// free, size 64
kernel void free_byte(global int *out, global const int *in, uchar flag) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    if (flag) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i] ^ 40;
}
// cond, size 64: a floating-point argument decides whose place is read
kernel void cond_number(global float *out, global const float *in, float f) {
    local float t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    float v;
    if (f > 0.5f) v = t[63 - i]; else v = t[i];
    out[get_global_id(0)] = v;
}
// free, size 64
kernel void free_number(global float *out, global const float *in, float f) {
    local float t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    float v;
    if (f > 0.5f) v = t[i] * 2; else v = t[i];
    out[get_global_id(0)] = v;
}
// cond, size 64: one number of an argument passes the barrier over
kernel void cond_equal(global int *out, global const int *in, int n) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    if (n != 77) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - i];
}
// free, size 64
kernel void free_equal(global int *out, global const int *in, int n) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    if (n != 77) t[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - i];
}
struct options { int first; int count; float factor; int last; };
// cond, size 64: a member of an argument decides about the barrier
kernel void cond_member(global int *out, global const int *in, struct options o) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)] + o.first;
    if (o.count != 3) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - i];
}
// free, size 64
kernel void free_member(global int *out, global const int *in, struct options o) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)] + o.first;
    if (o.count != 3) t[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - i];
}
// race, size 64: two arrays of one pool overlap; what is loaded is written over by numbers
kernel void race_pool(global int *out, global const int *in) {
    local int pool[128];
    local int *p = pool, *q = pool + 40;
    int i = get_local_id(0);
    p[i] = in[get_global_id(0)];
    q[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[63 - i] + q[63 - i];
}
// free, size 64
kernel void free_pool(global int *out, global const int *in) {
    local int pool[128];
    local int *p = pool, *q = pool + 64;
    int i = get_local_id(0);
    p[i] = in[get_global_id(0)];
    q[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[63 - i] + q[63 - i];
}
// race, size 16 16: rows of a tile overlap, which are loaded from rows that an argument keeps apart
kernel void race_tile_rows(global float *out, global const float *in, int w) {
    local float t[16 * 17];
    int x = get_local_id(0), y = get_local_id(1);
    int gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
    t[y * 15 + x] = in[(gy + y) * w + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + y) * w + gy + x] = t[x * 15 + y];
}
// free, size 16 16
kernel void free_tile_rows(global float *out, global const float *in, int w) {
    local float t[16 * 17];
    int x = get_local_id(0), y = get_local_id(1);
    int gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
    t[y * 17 + x] = in[(gy + y) * w + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + y) * w + gy + x] = t[x * 17 + y];
}
