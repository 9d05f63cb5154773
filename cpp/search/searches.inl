// Instantiates the searches. Compiled once per instruction set, each time into its own namespace DAMAS_ISA.
#include <array>
#include <utility>

#include "builtin_rulesets.hpp"
#include "search.hpp"

namespace damas::DAMAS_ISA {
namespace {

template <Ruleset R>
using GeometryOf =
    std::conditional_t<R.all_squares, Full8,
                       std::conditional_t<R.size == 8, Board8, std::conditional_t<R.size == 10, Board10, Board12>>>;

using Made = std::unique_ptr<damas::search::Searcher>;

template <class G, class R>
Made make(const Ruleset& rules) {
    return std::make_unique<search::Worker<G, R>>(rules);
}

template <std::size_t... I>
Made make_compiled(const Ruleset& rules, std::index_sequence<I...>) {
    Made made;
    (void)((kSearched[I] == rules && (made = make<GeometryOf<kSearched[I]>, Compiled<kSearched[I]>>(rules), true)) ||
           ...);
    return made;
}

}  // namespace

Made make_searcher(const Ruleset& rules, bool interpreted) {
    if (!interpreted)
        if (Made made = make_compiled(rules, std::make_index_sequence<std::size(kSearched)>())) return made;
    if (rules.all_squares) return make<Full8, Interpreted>(rules);
    if (rules.size == 8) return make<Board8, Interpreted>(rules);
    if (rules.size == 10) return make<Board10, Interpreted>(rules);
    return make<Board12, Interpreted>(rules);
}

}  // namespace damas::DAMAS_ISA
