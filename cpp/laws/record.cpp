#include "record.hpp"

#include <algorithm>

namespace damas::laws {

Record::Record(const Rules& rules, std::shared_ptr<const Laws> laws, const Board& start, bool recorded)
    : line_(std::make_shared<Line>()) {
    line_->rules = &rules;
    line_->laws = std::move(laws);
    line_->recorded = recorded;
    line_->plies.push_back({start, begin(*line_->laws, rules, start, recorded), {}, &rules});
    line_->keys.push_back(hash(start));
}

std::shared_ptr<Record::Line> Record::own_line() const {
    auto line = std::make_shared<Line>();
    line->rules = line_->rules;
    line->laws = line_->laws;
    line->recorded = line_->recorded;
    line->plies.assign(line_->plies.begin(), line_->plies.begin() + length_ + 1);
    line->keys.assign(line_->keys.begin(), line_->keys.begin() + length_ + 1);
    return line;
}

std::optional<Record> Record::after(const Move& move, const Rules& named_by, bool rested) const {
    const Rules& rules = this->rules();
    if (rules.squares != named_by.squares) return {};
    if (rested && !move.taken && !laws().rests.empty() && move.from == laws::resting_king(laws(), state(), board()))
        return {};
    thread_local std::vector<Move> moves;
    moves.clear();
    damas::legal_moves(*rules.kernel, board(), false, moves);
    const auto legal = std::find(moves.begin(), moves.end(), move);
    if (legal == moves.end()) return {};
    const Board next = damas::after(board(), *legal, rules.bit_of_square[legal->from], rules.bit_of_square[legal->to]);

    Record longer = *this;
    if (int(line_->plies.size()) != length_ + 1) longer.line_ = own_line();  // another record played on from here
    Line& line = *longer.line_;
    line.keys.push_back(hash(next));
    ++longer.length_;
    const Played played{legal->from, legal->to, legal->taken > 0, legal->by_king, legal->promotes};
    line.plies.push_back({next, advance(laws(), rules, state(length_), played, next, longer.key()), move, &named_by});
    return longer;
}

Record Record::until(int ply) const {
    Record earlier = *this;
    earlier.length_ = ply;
    std::erase_if(earlier.calls_, [&](const Call& call) { return call.ply > ply; });
    return earlier;
}

Record Record::call(const std::string& id) const {
    Record called = *this;
    called.calls_.push_back({length_, id});
    for (const Law& law : laws().laws)
        if (law.id == id && law.limit >= 0 && state().counters.counts[law.limit] == kUncalled) {
            called.line_ = own_line();
            laws::call(called.line_->plies.back().state.counters, law.limit);
        }
    return called;
}

std::vector<Move> Record::legal_moves() const {
    std::vector<Move> moves;
    damas::legal_moves(*rules().kernel, board(), false, moves);
    if (!laws().rests.empty())
        if (const int resting = laws::resting_king(laws(), state(), board()); resting != kNoKing)
            std::erase_if(moves, [&](const Move& move) { return !move.taken && move.from == resting; });
    return moves;
}

bool Record::can_move() const {
    if (laws().rests.empty() || laws::resting_king(laws(), state(), board()) == kNoKing)
        return rules().kernel->captures(rules().ruleset, board()) ||  // asked first: counting all captures takes longer
               rules().kernel->count(rules().ruleset, board()) > 0;
    return !legal_moves().empty();
}

Material Record::material() const {
    const Board& b = board();
    return {{b.men[White].count(), b.men[Black].count()}, {b.kings[White].count(), b.kings[Black].count()}};
}

std::optional<Record::Count> Record::count(int index) const {
    const auto found = progress(laws(), rules(), state(), board(), key(), index);
    if (!found) return {};
    const Law& law = laws().laws[std::size_t(index)];
    Count count{index, found->have, found->need, 0, 1, {}, 0};
    switch (law.kind) {
        case Kind::Length: break;
        case Kind::Repetition:
            for (int ply = length_ - state().reversible; ply <= length_; ++ply)
                if ((length_ - ply) % 2 == 0 && line_->keys[std::size_t(ply)] == *key()) count.plies.push_back(ply);
            count.since = count.plies.front();
            count.first = count.since + 1;
            break;
        case Kind::Cycle:
            count.since = length_ - found->have * found->cycle;
            count.first = count.since + 1;
            for (int ply = count.first; ply <= length_; ply += found->cycle) count.plies.push_back(ply);
            break;
        case Kind::Limit: {
            const Limit& limit = laws().limits[std::size_t(law.limit)];
            const Material m = material();
            count.since = length_;
            while (!(state(count.since).counters.began >> law.limit & 1)) --count.since;
            count.first = count.since + 1;
            if (found->have)
                while (state(count.first).counters.counts[law.limit] == 0) ++count.first;
            else
                count.first = length_ + (limit.strong_only && board().turn != strong_side(m, White) ? 2 : 1);
            count.ending = std::max(0, limit.ending_of(m));
            break;
        }
    }
    return count;
}

bool Record::gives_way_to_text(const Law& law) const {
    if (!law.platform || law.claim != Claim::Player || law.off_during < 0) return false;
    const Law& text = laws().laws[std::size_t(law.off_during)];
    if (text.platform || text.limit < 0) return false;
    const Limit& limit = laws().limits[std::size_t(text.limit)];
    return !limit.endings.empty() && limit.ending_of(material()) >= 0;
}

std::vector<Record::Count> Record::running(const Customs& customs) const {
    std::vector<Count> counts;
    for (int i = 0; i < int(laws().laws.size()); ++i) {
        const Law& law = laws().laws[std::size_t(i)];
        if ((law.platform && !customs.platform_rules) || gives_way_to_text(law)) continue;
        if (auto found = count(i)) counts.push_back(std::move(*found));
    }
    return counts;
}

std::vector<Record::Count> Record::claimable(const Customs& customs) const {
    if (ended_by(customs) != kGoesOn) return {};
    std::vector<Count> counts = running(customs);
    std::erase_if(counts, [&](const Count& count) {
        return count.have < count.need || !laws().waits_for_claim(laws().laws[std::size_t(count.law)], customs);
    });
    return counts;
}

int Record::ended_by(const Customs& customs) const {
    if (!can_move()) return kNoMove;
    return laws::ended_by(laws(), rules(), state(), board(), key(), customs);
}

bool Record::operator==(const Record& o) const {
    if (length_ != o.length_ || &rules() != &o.rules() || recorded() != o.recorded() || calls_ != o.calls_)
        return false;
    if (line_ == o.line_) return true;
    if (board(0) != o.board(0)) return false;
    for (int ply = 1; ply <= length_; ++ply)
        if (named_by(ply).squares != o.named_by(ply).squares || move(ply) != o.move(ply)) return false;
    return true;
}

}  // namespace damas::laws
