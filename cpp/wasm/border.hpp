// How functions of the module and of JavaScript find each other.
#pragma once

#define DAMAS_IMPORT(name) __attribute__((import_module("damas"), import_name(name)))
#define DAMAS_EXPORT(name) extern "C" __attribute__((export_name(name)))
