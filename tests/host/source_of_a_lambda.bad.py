emit = lambda acc: f"""
template <typename V>
void mma(V &c, V const &a, V const &b) {{
    asm volatile("dpas.int8.s8.8.8 (M1, 16) %0.0 %0.0 %2.0 %1(0,0)\\n"
                 : "+rw"({acc}) : "rw"(a), "rw"(b));
}}
"""
