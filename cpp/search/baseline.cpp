#define DAMAS_ISA baseline
#include "searches.inl"
