#include "batch.hpp"

namespace damas::laws {

namespace {
int pieces(const Board& b) {
    return b.men[White].count() + b.kings[White].count() + b.men[Black].count() + b.kings[Black].count();
}
}  // namespace

GameBatch::GameBatch(const Rules& rules, std::shared_ptr<const Laws> laws, const Board& start, std::size_t games)
    : rules_(&rules), laws_(std::move(laws)), start_(start), first_(begin(*laws_, rules, start, true)), games_(games) {
    for (std::size_t i = 0; i < games; ++i) restart(i);
}

void GameBatch::restart(std::size_t game) {
    Game& g = games_[game];
    g.board = start_;
    g.state = first_;
    g.keys.assign(1, hash(start_));
}

void GameBatch::play(std::size_t game, int from, int to, const Board& next) {
    Game& g = games_[game];
    const Color us = g.board.turn;
    const int first = rules_->bit_of_square[std::size_t(from)], last = rules_->bit_of_square[std::size_t(to)];
    const bool by_king = g.board.kings[us].test(first);
    const Played played{u8(from), u8(to), pieces(next) < pieces(g.board), by_king,
                        !by_king && next.kings[us].test(last)};
    g.keys.push_back(hash(next));
    g.state = advance(*laws_, *rules_, g.state, played, next, &g.keys.back());
    if (g.state.reversible == 0) g.keys.assign(1, g.keys.back());
    g.board = next;
}

int GameBatch::ended_by(std::size_t game, const Customs& customs) const {
    const Game& g = games_[game];
    return laws::ended_by(*laws_, *rules_, g.state, g.board, &g.keys.back(), customs);
}

int GameBatch::count(std::size_t game, int law) const {
    const Game& g = games_[game];
    const auto found = progress(*laws_, *rules_, g.state, g.board, &g.keys.back(), law);
    return found ? found->have : -1;
}

int GameBatch::resting_king(std::size_t game) const {
    const Game& g = games_[game];
    return laws::resting_king(*laws_, g.state, g.board);
}

}  // namespace damas::laws
