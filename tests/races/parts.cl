// Bytes that one work-item stores among more of them, and data that all lanes load with one block. The number after "size"
// is the group.

// size 64: the last of three bytes is the first one of the next work-item
kernel void race_parts_bytes(global uchar *d, global const uchar *a) {
    int l = get_local_id(0), b = get_group_id(0) * 130;
    d[b + 2 * l] = a[l];
    d[b + 2 * l + 1] = a[l + 1];
    d[b + 2 * l + 2] = 5;
}
// free, size 64
kernel void free_parts_bytes(global uchar *d, global const uchar *a) {
    int l = get_local_id(0), b = get_group_id(0) * 130;
    d[b + 2 * l] = a[l];
    d[b + 2 * l + 1] = 5;
    if (l == 63) d[b + 2 * l + 2] = 6;
}
// size 64: the upper half of a dword is the lower one of the next, which the neighbour fills
kernel void race_parts_halves(global short *o, global const short *a) {
    local short s[132];
    int l = get_local_id(0);
    s[2 * l] = a[l];
    s[2 * l + 1] = a[l + 64];
    s[2 * l + 2] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = s[2 * l] + s[2 * l + 1];
}
// free, size 64
kernel void free_parts_halves(global short *o, global const short *a) {
    local short s[132];
    int l = get_local_id(0);
    s[2 * l] = a[l];
    s[2 * l + 1] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = s[2 * l] + s[(2 * l + 3) & 127];
}
// size 64: half of what each stores is overwritten by the next one with other coefficients
kernel void race_parts_block(global float *o, global const float *c) {
    local float s[64 * 4 + 4];
    int l = get_local_id(0);
    for (int k = 0; k < 8; k++) s[l * 4 + k] = c[k] + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[255 - l];
}
// free, size 64
kernel void free_parts_block(global float *o, global const float *c) {
    local float s[64 * 8];
    int l = get_local_id(0);
    for (int k = 0; k < 8; k++) s[l * 8 + k] = c[k] + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[255 - l];
}
// depends on data, size 64: which half is written depends on one number that all load
kernel void cond_parts_switch(global int *o, global const int *c) {
    local int s[96];
    int l = get_local_id(0);
    if (c[3] > 4) s[l] = l;
    else s[l + 32] = l;
    if (l == 0 && c[3] <= 4) s[95] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[l];
    if (c[3] > 4) s[63 - l] = 2 * l;
}
// free, size 64
kernel void free_parts_switch(global int *o, global const int *c) {
    local int s[96];
    int l = get_local_id(0);
    if (c[3] > 4) s[l] = l;
    else s[l + 32] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[l];
}
