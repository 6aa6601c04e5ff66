// Places and passes that depend on what memory holds to which nothing stores: each thread loads the same. The number
// after "size" is the group.

// size 64: one place of a histogram for all
kernel void race_constant_place(global uint *o, global const uint *a) {
    local uint h[16];
    int t = get_local_id(0);
    if (t < 16) h[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    h[a[0] & 15] = h[a[0] & 15] + t;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16) o[t + 16 * get_group_id(0)] = h[t];
}

// size 64: the same with an atomic
kernel void free_constant_place(global uint *o, global const uint *a) {
    local uint h[16];
    int t = get_local_id(0);
    if (t < 16) h[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&h[a[0] & 15], t);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16) o[t + 16 * get_group_id(0)] = h[t];
}

// size 64: rows that are turned by a loaded number and too narrow
kernel void race_constant_shift(global int *o, global const int *a, global const int *shift) {
    local int s[64];
    int t = get_local_id(0);
    s[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[(shift[0] + t) & 15] = a[t] + t;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[t];
}

// size 64: as wide as the group
kernel void free_constant_shift(global int *o, global const int *a, global const int *shift) {
    local int s[64];
    int t = get_local_id(0);
    s[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[(shift[0] + t) & 63] = a[t] + t;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[t];
}

// size 64: a loop whose passes are loaded, in front of a reversal without a barrier
kernel void race_constant_rows(global float *o, global const float *v, global const int *rows) {
    local float s[64];
    int t = get_local_id(0);
    float r = 0;
    for (int i = rows[0]; i < rows[1]; i++) r += v[i * 64 + t];
    s[t] = r;
    o[get_global_id(0)] = s[63 - t];
}

// size 64: with a barrier
kernel void free_constant_rows(global float *o, global const float *v, global const int *rows) {
    local float s[64];
    int t = get_local_id(0);
    float r = 0;
    for (int i = rows[0]; i < rows[1]; i++) r += v[i * 64 + t];
    s[t] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[63 - t];
}
