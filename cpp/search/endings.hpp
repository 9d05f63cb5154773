// Endgame tables as the search asks them: which count is in force is read from the counters of the line.
#pragma once
#include <array>
#include <vector>

#include "damas/tablebase.hpp"
#include "job.hpp"

namespace damas::search {

class Endings {
public:
    /// Which limits of the search the tables of one material count; -1: none.
    struct Counted {
        bool there = false;
        int count = -1, started = -1, diagonal = -1;
        u16 inside = 0;  // limits whose effect is in the tables already
    };

    /// Both must outlive it.
    Endings(const tablebase::EndgameTables& tables, const laws::Laws& laws)
        : tables_(tables), laws_(laws), counted_(std::size_t(1) << 16) {}

    /// Lets the tables of a canonical material be asked.
    void add(const tablebase::Material& material, const Counted& counted);

    /// False where they do not know, or where a limit that they leave out may end the game first.
    bool ask(const Board& board, const laws::Counters& counters, Verdict& out) const;

    EndgameProbe hook(int pieces) {
        return {pieces, this, [](void* self, const Board& board, const laws::Counters& counters, Verdict& out) {
                    return static_cast<const Endings*>(self)->ask(board, counters, out);
                }};
    }

private:
    bool look_up(const Board& board, const laws::Counters& counters, Verdict& out) const;

    const tablebase::EndgameTables& tables_;
    const laws::Laws& laws_;
    std::vector<Counted> counted_;
};

}  // namespace damas::search
