// Games as Python holds them.
#pragma once
#include "laws/record.hpp"
#include "values.hpp"

namespace damas::python {

/// A record, and the Python class of its positions.
struct PyRecord {
    laws::Record record;
    nb::object position_type;
};

}  // namespace damas::python
