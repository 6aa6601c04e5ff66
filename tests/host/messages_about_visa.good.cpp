#include <cstdio>
#include <iostream>

void explain(int n, const char *name) {
    std::cerr << "mov (M1, " << n << ") is no legal size; expected (M1, 16)\n";
    std::cout << "add (M1, " << n << ") is no legal size; expected (M1, 16)\n";
    std::cout << "the declaration .decl " << name << " v_type=G lacks type=\n";
    printf("add (M1, %d) needs two sources, got %d\n", n, n + 1);
}
