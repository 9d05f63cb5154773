#include "damas/notation.hpp"

namespace damas {

namespace {
template <class G>
void copy_geometry(Rules& r) {
    r.squares = G::kSquares;
    r.bit_of_square.assign(G::kLookups.bit_of_square, G::kLookups.bit_of_square + G::kSquares);
    r.square_of_bit.assign(G::kLookups.square_of_bit, G::kLookups.square_of_bit + G::kBits);
    for (const Color c : {White, Black})
        for (int s = 0; s < G::kSquares; ++s)
            if (G::crown_row(c) >> r.bit_of_square[std::size_t(s)] & 1)
                r.crown_row[c].set(r.bit_of_square[std::size_t(s)]);
    for (int i = 0; i < G::kSize; ++i) r.main_diagonal.set(G::bit(i, i));
}
}  // namespace

void Rules::derive() {
    kernel = &kernel_for(ruleset, interpreted);
    if (ruleset.all_squares)
        copy_geometry<Full8>(*this);
    else if (ruleset.size == 8)
        copy_geometry<Board8>(*this);
    else if (ruleset.size == 10)
        copy_geometry<Board10>(*this);
    else
        copy_geometry<Board12>(*this);

    start.turn = starter;
    for (const u8 s : white_start) start.men[White].set(bit_of_square[s]);
    for (const u8 s : black_start) start.men[Black].set(bit_of_square[s]);

    fen_names = notation.fen == "numbers" ? &notation.numbers : &notation.algebraic;
    move_names = notation.moves == "numbers"        ? &notation.numbers
                 : notation.moves == "rows-columns" ? &notation.rows_columns
                                                    : &notation.algebraic;
    for (auto& row : by_file_and_rank)
        for (u8& s : row) s = kNoSquare;
    for (auto& row : by_row_and_column)
        for (u8& s : row) s = kNoSquare;
    by_number.assign(256, kNoSquare);
    for (std::size_t s = 0; s < std::size_t(squares); ++s) {
        const auto& a = notation.algebraic[s];
        by_file_and_rank[a[0] - 'a'][std::stoi(a.substr(1)) - 1] = u8(s);
        by_number[std::size_t(std::stoi(notation.numbers[s]))] = u8(s);
        const auto& rc = notation.rows_columns[s];
        const auto comma = rc.find(',');
        by_row_and_column[std::stoi(rc.substr(0, comma))][std::stoi(rc.substr(comma + 1))] = u8(s);
    }
}

}  // namespace damas
