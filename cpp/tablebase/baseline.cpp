#define DAMAS_ISA baseline
#include "solver.inl"
