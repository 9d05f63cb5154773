// Instantiates the generators. Compiled once per instruction set, each time into its own namespace DAMAS_ISA,
// so that code for a newer processor can never be linked into the path of an older one.
#include <array>
#include <type_traits>
#include <utility>

#include "builtin_rulesets.hpp"
#include "damas/instances.hpp"
#include "damas/perft.hpp"

namespace damas::DAMAS_ISA {
namespace {

/// Where captures go when they are to be shown: routes and all.
template <class G, bool Keep>
struct Routes {
    using Word = typename G::Word;
    std::vector<Move>& out;
    unsigned most_work;
    u64 best = 0;
    unsigned work = 0;
    int depth = 0;
    u8 landings[kMaxTaken], victims[kMaxTaken];

    void enter(int victim) { victims[depth++] = G::kLookups.square_of_bit[victim]; }
    void land(int at) { landings[depth - 1] = G::kLookups.square_of_bit[at]; }
    void leave() { --depth; }
    void add(const BitMove<Word>& bit_move, int, u64 rank) {
        if ((work += Keep ? 4 : 1 + unsigned(out.size()) / 64) > most_work) raise(TooManyCaptures{});
        if (rank < best) return;
        if (rank > best) {
            best = rank;
            out.clear();
        }
        Move move;
        move.captured = bits_of(bit_move.captured);
        move.from = G::kLookups.square_of_bit[bit_move.from];
        move.to = G::kLookups.square_of_bit[bit_move.to];
        move.promotes = bit_move.promotes;
        move.taken = u8(depth);
        if (!Keep)
            for (const auto& other : out)
                if (other == move) return;
        for (int i = 0; i < depth; ++i) {
            move.landings[i] = landings[i];
            move.victims[i] = victims[i];
        }
        out.push_back(move);
    }
};

template <class G, class R>
struct Instance {
    using Word = typename G::Word;

    template <Color Us>
    static void quiet_of(const R& r, const Pieces<Word>& p, std::vector<Move>& out) {
        each_quiet<G, Us>(r, p, [&](const BitMove<Word>& bit_move) {
            Move& move = out.emplace_back();
            move.captured = {};
            move.from = G::kLookups.square_of_bit[bit_move.from];
            move.to = G::kLookups.square_of_bit[bit_move.to];
            move.promotes = bit_move.promotes;
            move.taken = 0;
        });
    }
    template <Color Us, bool Keep>
    static void legal_of(const R& r, const Pieces<Word>& p, std::vector<Move>& out, unsigned most_work) {
        Routes<G, Keep> routes{out, most_work, 0, 0, 0, {}, {}};
        Captures<G, R, Us, decltype(routes)> captures(r, p, routes);
        if (captures.any())
            captures.generate();
        else
            quiet_of<Us>(r, p, out);
    }

    static void name_movers(const Board& b, std::vector<Move>& moves) {
        for (Move& move : moves) move.by_king = b.kings[b.turn].test(G::kLookups.bit_of_square[move.from]);
    }
    static void legal(const Ruleset& ruleset, const Board& b, bool keep, std::vector<Move>& out, unsigned most_work) {
        const R r = rules_as<R>(ruleset);
        const auto p = pieces_of<Word>(b);
        if (b.turn == White)
            keep ? legal_of<White, true>(r, p, out, most_work) : legal_of<White, false>(r, p, out, most_work);
        else
            keep ? legal_of<Black, true>(r, p, out, most_work) : legal_of<Black, false>(r, p, out, most_work);
        name_movers(b, out);
    }
    static void quiet(const Ruleset& ruleset, const Board& b, std::vector<Move>& out) {
        const R r = rules_as<R>(ruleset);
        b.turn == White ? quiet_of<White>(r, pieces_of<Word>(b), out) : quiet_of<Black>(r, pieces_of<Word>(b), out);
        name_movers(b, out);
    }
    static int count(const Ruleset& ruleset, const Board& b) {
        const R r = rules_as<R>(ruleset);
        const auto p = pieces_of<Word>(b);
        return int(b.turn == White ? DAMAS_ISA::count<G, White, false>(r, p) : DAMAS_ISA::count<G, Black, false>(r, p));
    }
    static bool captures(const Ruleset& ruleset, const Board& b) {
        const R r = rules_as<R>(ruleset);
        const auto p = pieces_of<Word>(b);
        Results<Word, false> results;
        return b.turn == White ? Captures<G, R, White, decltype(results)>(r, p, results).any()
                               : Captures<G, R, Black, decltype(results)>(r, p, results).any();
    }
    static u64 perft(const Ruleset& ruleset, const Board& b, int depth, bool keep) {
        const R r = rules_as<R>(ruleset);
        const auto p = pieces_of<Word>(b);
        if (b.turn == White)
            return keep ? DAMAS_ISA::perft<G, White, true>(r, p, depth)
                        : DAMAS_ISA::perft<G, White, false>(r, p, depth);
        return keep ? DAMAS_ISA::perft<G, Black, true>(r, p, depth) : DAMAS_ISA::perft<G, Black, false>(r, p, depth);
    }

    static constexpr Kernel kernel(const Ruleset& r) { return {r, kCompiled<R>, legal, quiet, count, captures, perft}; }
};

template <std::size_t... I>
constexpr auto compiled_kernels(std::index_sequence<I...>) {
    return std::array{Instance<GeometryOf<kBuiltin[I]>, Compiled<kBuiltin[I]>>::kernel(kBuiltin[I])...};
}

constexpr auto kKernels = compiled_kernels(std::make_index_sequence<std::size(kBuiltin)>());

}  // namespace

const Kernel* compiled_kernel(const Ruleset& rules) {
    for (const auto& kernel : kKernels)
        if (kernel.rules == rules) return &kernel;
    return nullptr;
}

Kernel interpreted_kernel(const Ruleset& rules) {
    if (rules.all_squares) return Instance<Full8, Interpreted>::kernel(rules);
    if (rules.size == 8) return Instance<Board8, Interpreted>::kernel(rules);
    if (rules.size == 10) return Instance<Board10, Interpreted>::kernel(rules);
    return Instance<Board12, Interpreted>::kernel(rules);
}

}  // namespace damas::DAMAS_ISA
