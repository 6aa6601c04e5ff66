// What sub-groups say to each other. The number after "size" is the group: x, y, z. The number of the sub-group is that of
// the hardware thread.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// race, size 128: what the next sub-group has summed is read without a barrier.
kernel void race_next_group(global int *out, global const int *in) {
    local int s[16];
    int i = get_local_id(0);
    int v = sub_group_reduce_add(in[i]);
    if (get_sub_group_local_id() == 0) s[get_sub_group_id()] = v;
    out[i] = s[(get_sub_group_id() + 1) & 3];
}
// free, size 128
kernel void free_next_group(global int *out, global const int *in) {
    local int s[16];
    int i = get_local_id(0);
    int v = sub_group_reduce_add(in[i]);
    if (get_sub_group_local_id() == 0) s[get_sub_group_id()] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[(get_sub_group_id() + 1) & 3];
}
// race, size 128: the first sub-group reads what all have summed.
kernel void race_first_group(global int *out, global const int *in) {
    local int s[32];
    int i = get_local_id(0);
    int v = sub_group_reduce_add(in[i]);
    if (get_sub_group_local_id() == 0) s[get_sub_group_id()] = v;
    if (get_sub_group_id() == 0) out[i] = s[get_sub_group_local_id() & 3];
}
// free, size 128
kernel void free_first_group(global int *out, global const int *in) {
    local int s[32];
    int i = get_local_id(0);
    int v = sub_group_reduce_add(in[i]);
    if (get_sub_group_local_id() == 0) s[get_sub_group_id()] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() == 0) out[i] = s[get_sub_group_local_id() & 3];
}
// race, size 128: slices of two sub-groups, the wrong one is read.
kernel void race_slice(global int *out, global const int *in) {
    local int s[512];
    int i = get_sub_group_local_id();
    int g = get_sub_group_id();
    s[g * 32 + i] = in[get_local_id(0)];
    out[get_local_id(0)] = s[(g ^ 1) * 32 + i];
}
// free, size 128: each sub-group has its slice.
kernel void free_slice(global int *out, global const int *in) {
    local int s[512];
    int i = get_sub_group_local_id();
    int g = get_sub_group_id();
    s[g * 32 + i] = in[get_local_id(0)];
    out[get_local_id(0)] = s[g * 32 + get_sub_group_size() - 1 - i];
}
