// Built with the instructions of 2013 and later (AVX2, BMI, POPCNT); chosen at run time if the processor has them.
#define DAMAS_ISA x86_64_v3
#include "searches.inl"
