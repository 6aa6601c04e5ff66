// Branches of the preprocessor that may be taken, whatever the first word of their condition is.
#define RUN(text) __asm__(text " (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(v))
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
    int v = p[0];
#if (0 && OLD) == (NEW)
    RUN("first");
#else
    RUN("second");
#endif
#if 0 && OLD || NEW
    RUN("third");
#endif
#if 1 || OLD && NEW
    RUN("fourth");
#endif
#if 1 && OLD
    RUN("fifth");
#endif
#if 0 || OLD
    RUN("sixth");
#endif
#if 0 ? OLD : NEW
    RUN("seventh");
#endif
#if 1 -
    RUN("eighth");
#endif
    p[0] = v;
}
