// The rulebooks that come with damas are constants here; house rules, and older processors, read the rules at run time.
#define DAMAS_ISA x86_64_v3
#define DAMAS_COMPILED_SOLVERS
#include "solver.inl"
