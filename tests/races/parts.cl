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
