// Endgame tables as Python holds them.
#pragma once
#include <memory>
#include <tuple>

#include "damas/tablebase.hpp"
#include "values.hpp"

namespace damas::python {

/// White men, white kings, black men, black kings.
using MaterialCounts = std::tuple<int, int, int, int>;

inline tablebase::Material material(const MaterialCounts& c) {
    return {{u8(std::get<0>(c)), u8(std::get<2>(c))}, {u8(std::get<1>(c)), u8(std::get<3>(c))}};
}

struct PyTables {
    const Rules* rules;
    std::unique_ptr<tablebase::EndgameTables> tables;

    tablebase::Material declared(const MaterialCounts& c) const {
        const tablebase::Material m = material(c);
        if (!tables->find(m)) throw nb::value_error("this material has not been declared");
        return m;
    }
};

}  // namespace damas::python
