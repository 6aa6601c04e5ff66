// What branches of the preprocessor hold that are never taken is no part of the program.
#define RUN(text) __asm__(text " (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(v))
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
    int v = p[0];
#if (0)
    RUN("first");
#elif (1)
    RUN("mov");
#else
    RUN("third");
#endif
#if 0 && OLD
    RUN("fourth");
#elif 0 && (OLD || NEW)
    RUN("fifth");
#elif 1 || (OLD && NEW)
    RUN("mov");
#else
    RUN("sixth");
#endif
#if false
    RUN("seventh");
#elif true
    RUN("mov");
#elif OLD
    RUN("eighth");
#endif
    p[0] = v;
}
