#define DAMAS_ISA baseline
#include "kernels.inl"
