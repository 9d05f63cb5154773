// A rulebook as JavaScript gives it: the text that src/damas/engine/portable.py writes.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "damas/notation.hpp"
#include "damas/tablebase.hpp"
#include "laws/record.hpp"

namespace damas::wasm {

/// One material whose tables can be made: its law, and which limits the search counts by them.
struct TableLaw {
    tablebase::Material material;
    tablebase::Law law;
    int count, started, diagonal;  // indices among the limits, or -1
    u16 inside;                    // limits whose effect is in the tables
    bool rests;                    // a king may have to rest, which is not in the tables
};

struct Book {
    Rules rules;
    std::shared_ptr<laws::Laws> laws;
    std::map<std::string, std::vector<std::string>, std::less<>> articles;  // by statement, answer or draw rule
    std::vector<TableLaw> table_laws;                                       // in the order in which they can be made

    /// The article of one part: its own, or the one for all.
    std::string_view article(std::string_view source, int part) const;
    /// Makes the tables of up to so many pieces (and men), unless they are there.
    tablebase::EndgameTables& tables(int pieces, int max_men);

private:
    std::unique_ptr<tablebase::EndgameTables> tables_;
};

/// Null where the text is no rulebook.
std::unique_ptr<Book> read_book(std::string_view text);

/// The words of one line, or the lines of a text.
std::vector<std::string_view> split(std::string_view text, char by);

}  // namespace damas::wasm
