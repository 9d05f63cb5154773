// Checks a core that was compiled for another machine, where there is no Python: `damas_check DEPTH SEARCH_DEPTH`.
//
// Prints the perft counts of every built-in ruleset from its first position, by each generator that this machine runs,
// then the nodes and the score of a search, and writes an endgame table here and reads it back. tools/cross_check.py
// compares the answers.
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "builtin_rulesets.hpp"
#include "damas/notation.hpp"
#include "search/engine.hpp"
#include "tablebase/archive.hpp"

namespace {

using namespace damas;

/// The men of both sides on the rows where every built-in rulebook has them.
Board first_position(const Ruleset& rules) {
    Rules names;  // only its geometry is asked for
    names.ruleset = rules;
    names.interpreted = false;
    const int per_row = rules.all_squares ? rules.size : rules.size / 2;
    const int squares = per_row * rules.size;
    for (int s = 0; s < squares; ++s) {
        names.notation.algebraic.push_back("a1");
        names.notation.numbers.push_back("1");
        names.notation.rows_columns.push_back("0,0");
    }
    const int first = rules.all_squares ? 1 : 0, rows = rules.all_squares ? 2 : rules.size / 2 - 1;
    for (int s = first * per_row; s < (first + rows) * per_row; ++s) {
        names.white_start.push_back(u8(s));
        names.black_start.push_back(u8(squares - 1 - s));
    }
    names.starter = White;
    names.derive();
    return names.start;
}

void count(std::size_t number, const char* generator, const Kernel& kernel, const Board& board, int depth) {
    std::printf("perft %zu %s", number, generator);
    for (int d = 1; d <= depth; ++d)
        std::printf(" %llu", static_cast<unsigned long long>(kernel.perft(kernel.rules, board, d, false)));
    std::printf("\n");
}

void search_with(std::size_t number, const Ruleset& rules, const Board& board, int depth) {
    for (const bool baseline : {true, false}) {
        search::Engine engine(rules, laws::Laws{}, std::size_t(1) << 22, 1, false, baseline);
        search::Limits limits;
        limits.depth = depth;
        const auto report = engine.search({{board}, {}, 0}, limits);
        std::printf("search %zu %s %llu %d\n", number, baseline ? "baseline" : "best",
                    static_cast<unsigned long long>(report.nodes), report.lines.front().score);
    }
}

bool table_comes_back(const std::string& path) {
    tablebase::Slice slice;
    slice.material = {{0, 0}, {1, 1}};
    slice.white_men = slice.black_men = 1;
    slice.placements = 32 * 31;
    slice.allocate(1);
    const std::string key(32, 'k');
    for (const auto table : {tablebase::Unlimited, tablebase::Limited})
        for (const Color turn : {White, Black})
            for (u64 i = 0; i < slice.size(); ++i) slice.set(table, turn, i, tablebase::Code(i * i % 251));
    tablebase::write_archive(slice, key, path, 2);
    tablebase::Archive archive(slice, key, path);
    archive.check(2);
    bool same = true;
    for (const auto table : {tablebase::Unlimited, tablebase::Limited})
        for (const Color turn : {White, Black})
            for (u64 i = 0; i < slice.size(); ++i) same &= archive.at(table, turn, i) == slice.at(table, turn, i);
    return same;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const int depth = std::atoi(argv[1]), search_depth = std::atoi(argv[2]);
    for (std::size_t i = 0; i < std::size(kBuiltin); ++i) {
        const Board board = first_position(kBuiltin[i]);
        count(i, "compiled", kernel_for(kBuiltin[i], false), board, depth);
        count(i, "interpreted", kernel_for(kBuiltin[i], true), board, depth - 1);
        search_with(i, kBuiltin[i], board, search_depth);
    }
    std::printf("processor %s\n", modern_processor() ? "x86-64-v3" : "baseline");
    // In UTF-8, as Python gives it: the arguments of a program on Windows are not.
    const bool same = table_comes_back("tr\xc3\xaas damas.tb");
    std::printf("table %s\n", same ? "same" : "DIFFERENT");
    return same ? 0 : 1;
}
