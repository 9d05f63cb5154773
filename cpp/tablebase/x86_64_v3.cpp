// The rulebooks that come with damas are constants here; house rules, and older processors, ask as they go.
#define DAMAS_ISA x86_64_v3
#define DAMAS_COMPILED_SOLVERS
#include "solver.inl"
