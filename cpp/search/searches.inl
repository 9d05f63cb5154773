// Instantiates the searches. Compiled once per instruction set, each time into its own namespace DAMAS_ISA.
#include <array>
#include <utility>

#include "builtin_rulesets.hpp"
#include "search.hpp"

namespace damas::DAMAS_ISA {
namespace {

using SearcherPtr = std::unique_ptr<damas::search::Searcher>;

template <class G, class R>
SearcherPtr make(const Ruleset& rules) {
    return std::make_unique<search::Worker<G, R>>(rules);
}

template <std::size_t... I>
SearcherPtr make_compiled(const Ruleset& rules, std::index_sequence<I...>) {
    SearcherPtr searcher;
    (void)((kSearched[I] == rules &&
            (searcher = make<GeometryOf<kSearched[I]>, Compiled<kSearched[I]>>(rules), true)) ||
           ...);
    return searcher;
}

}  // namespace

SearcherPtr make_searcher(const Ruleset& rules, bool interpreted) {
    if (!interpreted)
        if (SearcherPtr searcher = make_compiled(rules, std::make_index_sequence<std::size(kSearched)>()))
            return searcher;
    if (rules.all_squares) return make<Full8, Interpreted>(rules);
    if (rules.size == 8) return make<Board8, Interpreted>(rules);
    if (rules.size == 10) return make<Board10, Interpreted>(rules);
    return make<Board12, Interpreted>(rules);
}

}  // namespace damas::DAMAS_ISA
