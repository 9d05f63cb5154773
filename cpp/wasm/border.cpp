// The core as JavaScript sees it: functions that take texts and numbers and leave their answer as JSON. Translates and
// decides nothing.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "book.hpp"
#include "border.hpp"
#include "damas/examine.hpp"
#include "damas/threads.hpp"
#include "json.hpp"
#include "search/endings.hpp"
#include "search/selfplay.hpp"

extern "C" {
DAMAS_IMPORT("fail") void host_fail(int failure);
DAMAS_IMPORT("report") void host_report();
DAMAS_IMPORT("interrupted") int host_interrupted();
}

/// What a thread leaves behind is destroyed when it ends: here the only one ends with the module.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

namespace damas {

void fail(Failure failure) {
    host_fail(int(failure));
    std::abort();
}

namespace wasm {
namespace {

using laws::Record;

std::string answer;
std::vector<std::unique_ptr<Book>> books;

struct PlayerEngine {
    Book* book;
    search::Engine engine;
    std::unique_ptr<search::Endings> endings;

    PlayerEngine(Book& b, std::size_t bytes, int threads, bool platform_rules)
        : book(&b), engine(b.rules.ruleset, b.laws->under({platform_rules, false}), bytes, threads) {}
};
std::vector<std::unique_ptr<PlayerEngine>> engines;

void give(Json& json) { answer = std::move(json.text); }

// --- values as JSON ------------------------------------------------------------------------------------------

void write_squares(Json& json, const u8* squares, int count, int first = -1) {
    json.open('[');
    if (first >= 0) json.number(first);
    for (int i = 0; i < count; ++i) json.number(squares[i]);
    json.close(']');
}

void write_route(Json& json, const Move& move) {
    if (move.taken)
        write_squares(json, move.landings, move.taken, move.from);
    else
        write_squares(json, &move.to, 1, move.from);
}

void write_last(Json& json, const Rules& rules, const Move& move) {
    json.open('{').key("text").string(write_move(rules, move)).key("route");
    write_route(json, move);
    json.key("captured");
    write_squares(json, move.victims, move.taken);
    json.key("promotes").boolean(move.promotes).close('}');
}

void write_problems(Json& json, const std::vector<Problem>& problems) {
    json.key("problems").open('[');
    for (const Problem& p : problems)
        json.open('{').key("code").string(p.code).key("token").string(p.token).key("offset").number(p.offset).close(
            '}');
    json.close(']');
}

void write_refused(Json& json, const Book& book, std::string_view tried, const Refused& refused) {
    const Rules& rules = book.rules;
    const auto rule = [&](const BrokenRule& broken) {
        json.key("code").string(broken.code).key("article").string(book.article(broken.source, broken.part));
        json.key("facts").open('{');
        for (const Fact& fact : broken.facts) {
            json.key(fact.name);
            if (fact.kind == Fact::Square)
                json.string((*rules.fen_names)[std::size_t(fact.value)]);
            else if (fact.kind == Fact::Piece)
                json.string(std::string(1, char(fact.value)));
            else
                json.number(fact.value);
        }
        json.close('}');
    };
    json.open('{').key("tried").string(tried);
    rule(refused.broken.front());
    json.key("legal").open('[');
    for (const Move& move : refused.instead) json.string(write_move(rules, move));
    json.close(']').key("further").open('[');
    for (std::size_t i = 1; i < refused.broken.size(); ++i) {
        json.open('{');
        rule(refused.broken[i]);
        json.close('}');
    }
    json.close(']').close('}');
}

// --- a game --------------------------------------------------------------------------------------------------

/// A game as JavaScript describes it: a line of customs ("platform claims recorded offers"), the FEN (empty: the
/// start), the calls of players ("ply id ply id ..."), then one move a line.
struct Played {
    Record record;
    laws::Customs customs;
    bool offers;  // the platform offers a draw at a third occurrence under a text that has no rule on it
};

/// The draw that the platform offers: either player may take it, and nobody must.
constexpr const char* kOffer = "platform-third-occurrence";
constexpr int kOfferedOccurrence = 3;
constexpr int kOfferLaw = -3;  // in place of the number of a law

std::string_view color_name(Color c) { return c == White ? "white" : "black"; }

/// In the unit of the article: of a limit for each side, moves that both have made.
int in_moves(const laws::Laws& laws, const laws::Law& law, int plies) {
    return law.limit >= 0 && !laws.limits[std::size_t(law.limit)].strong_only ? plies / 2 : plies;
}

int pieces_of(const Board& b, Color c) { return b.men[c].count() + b.kings[c].count(); }

/// Where a repeated position stood, or a cycle began, as plies.
void write_plies(Json& json, const std::vector<int>& plies) {
    std::string text;
    for (const int ply : plies) text += (text.empty() ? "" : ", ") + std::to_string(ply);
    json.key("plies").string(text);
}
/// The same as moves of one side, 0 for the start.
void write_occurrences(Json& json, const Record& record, const std::vector<int>& plies, bool cycle) {
    json.key("occurrences").open('{').key("side").string(color_name(record.board(plies.back() - 1).turn));
    json.key("numbers").open('[');
    for (const int ply : plies) json.number(ply ? record.move_number(ply) : 0);
    json.close(']').key("cycle").boolean(cycle).close('}');
}

/// Whether the platform may offer its draw in a game at all.
bool has_offer(const Book& book, const Played& game) {
    return game.offers && std::none_of(book.laws->laws.begin(), book.laws->laws.end(), [](const laws::Law& law) {
               return law.kind == laws::Kind::Repetition || law.kind == laws::Kind::Cycle;
           });
}

/// The draw that the platform offers now, if it does. It waits while the text limits the ending on the board.
std::optional<Record::Count> offered_draw(const Book& book, const Played& game) {
    const Record& record = game.record;
    if (!has_offer(book, game) || record.ended_by(game.customs) != laws::kGoesOn) return {};
    const Board& b = record.board();
    const laws::Material material{{b.men[White].count(), b.men[Black].count()},
                                  {b.kings[White].count(), b.kings[Black].count()}};
    for (const laws::Law& law : book.laws->laws) {
        if (law.platform || law.limit < 0) continue;
        const laws::Limit& limit = book.laws->limits[std::size_t(law.limit)];
        if (!limit.endings.empty() && limit.ending_of(material) >= 0) return {};
    }
    Record::Count count{kOfferLaw, 0, kOfferedOccurrence, 0, 1, {}, 0};
    for (int ply = 0; ply <= record.length(); ++ply)
        if (record.board(ply) == b) count.plies.push_back(ply);
    count.have = int(count.plies.size());
    if (count.have < kOfferedOccurrence) return {};
    count.since = count.plies.front();
    count.first = count.since + 1;
    return count;
}

void write_outcome(Json& json, const Book& book, const Played& game, int law_number) {
    const Board& b = game.record.board();
    const auto head = [&](int winner) {
        json.open('{').key("result").string(winner < 0 ? "1/2-1/2" : winner == White ? "1-0" : "0-1").key("winner");
        if (winner < 0)
            json.null();
        else
            json.string(color_name(Color(winner)));
    };
    if (law_number == laws::kNoMove) {
        const bool pieces = pieces_of(b, b.turn) > 0;
        head(~b.turn);
        json.key("reason").string(pieces ? "NO_MOVES" : "NO_PIECES");
        json.key("article").string(book.article(pieces ? "no_move_loses" : "no_pieces_loses", 0));
        json.key("rule").string("").key("platform").boolean(false);
        json.key("facts").open('{').key("loser").string(color_name(b.turn)).close('}').close('}');
        return;
    }
    if (law_number == kOfferLaw) {
        const auto count = offered_draw(book, game);
        head(-1);
        json.key("reason").string("REPETITION").key("article").string("").key("rule").string(kOffer);
        json.key("platform").boolean(true).key("facts").open('{').key("count").number(kOfferedOccurrence);
        json.key("since").number(game.record.move_number(count->first));
        write_plies(json, count->plies);
        json.close('}');
        write_occurrences(json, game.record, count->plies, false);
        json.close('}');
        return;
    }
    const laws::Law& law = book.laws->laws[std::size_t(law_number)];
    const auto count = game.record.count(law_number);
    const int more = pieces_of(b, White) - pieces_of(b, Black);
    head(law.decides == laws::Decides::Draw || !more ? -1 : more > 0 ? White : Black);
    constexpr const char* kReasons[] = {"LIMIT", "REPETITION", "CYCLE", "LENGTH"};
    json.key("reason").string(kReasons[int(law.kind)]);
    json.key("article").string(book.article("draw:" + law.id, count ? count->ending : 0));
    json.key("rule").string(law.id).key("platform").boolean(law.platform);
    json.key("facts").open('{').key("count").number(in_moves(*book.laws, law, law.need));
    json.key("since").number(count ? game.record.move_number(count->first) : 0);
    const bool occurred = count && !count->plies.empty();
    if (occurred) write_plies(json, count->plies);
    json.close('}');
    if (occurred) write_occurrences(json, game.record, count->plies, law.kind == laws::Kind::Cycle);
    json.close('}');
}

/// A number of JavaScript: none where it is no number or below 0, and the largest where it is infinite.
u64 whole(double number) {
    constexpr double kMost = 9007199254740991;  // all whole numbers up to here are exact
    return number > 0 ? u64(std::min(number, kMost)) : 0;
}

/// A refusal or problems as the answer to a move, at this ply.
void give_refusal(const Book& book, std::string_view tried, const Refused& refused, int ply) {
    Json json;
    json.open('{').key("ply").number(ply);
    if (!refused.problems.empty())
        write_problems(json, refused.problems);
    else if (refused.broken.empty())
        fail(Failure::Other);
    else {
        json.key("refusal");
        write_refused(json, book, tried, refused);
    }
    json.close('}');
    give(json);
}

/// The one legal move that a text means, by the route that it names; or nothing.
std::optional<Move> parse(const Rules& rules, const Board& board, std::string_view text) {
    std::vector<Problem> problems;
    const MoveText read = read_move_text(rules, text, problems);
    if (!problems.empty()) return {};
    std::vector<Move> moves;
    legal_moves(*rules.kernel, board, false, moves);
    const auto found = matching(rules, board, read, moves);
    if (found.size() != 1) return {};
    const auto& squares = read.squares;
    const auto routed = [&](const Move& move) {
        return move.taken + 1u == squares.size() && std::equal(squares.begin() + 1, squares.end(), move.landings);
    };
    if (squares.size() < 4 || routed(found[0])) return found[0];
    moves.clear();
    legal_moves(*rules.kernel, board, true, moves);
    for (const Move& move : moves)
        if (move == found[0] && routed(move)) return move;
    return found[0];
}

/// Where a man passes the last row on a route without ending its move there, and so stays a man.
std::optional<int> passed_last_row(const Rules& rules, const Board& b, const std::vector<u8>& route) {
    if (route.empty() || rules.ruleset.promotion != Promotion::Passes) return {};
    const auto bit = [&](u8 square) { return rules.bit_of_square[square]; };
    for (const Color c : {White, Black}) {
        if (!b.men[c].test(bit(route[0]))) continue;
        std::vector<u8> on_last;
        for (std::size_t i = 1; i < route.size(); ++i)
            if (rules.crown_row[c].test(bit(route[i]))) on_last.push_back(route[i]);
        if (!on_last.empty() && route.back() != on_last.back()) return on_last.front();
    }
    return {};
}

/// The one of the moves that a text means whose numbers count from White's left corner, row by row upwards.
std::optional<Move> from_bottom_left(const Rules& rules, const Board& b, std::string_view text,
                                     const std::vector<Move>& moves) {
    std::vector<u8> order;
    for (int rank = 0; rank < rules.ruleset.size; ++rank)
        for (int file = 0; file < rules.ruleset.size; ++file)
            if (const u8 square = rules.by_file_and_rank[file][rank]; square != kNoSquare) order.push_back(square);
    constexpr std::string_view kBlank = " \t";
    MoveText read;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
        std::size_t digits = 0;
        while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
        if (digits < 1 || digits > 3) return {};
        const int number = std::atoi(std::string(text.substr(0, digits)).c_str());
        if (number < 1 || number > int(order.size())) return {};
        read.squares.push_back(order[std::size_t(number) - 1]);
        text.remove_prefix(digits);
        text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
        if (text.empty()) break;
        if (text[0] != '-' && text[0] != 'x' && text[0] != ':') return {};
        text.remove_prefix(1);
    }
    if (read.squares.size() < 2) return {};
    const auto found = matching(rules, b, read, moves);
    return found.size() == 1 ? std::optional(found[0]) : std::nullopt;
}

/// Why a text may not be played in a game, or nothing if it may.
std::optional<Refused> refused_in(const Book& book, const Played& game, std::string_view text, int ended) {
    const Rules& rules = book.rules;
    const Record& record = game.record;
    if (ended != laws::kGoesOn) {
        static std::string source;  // a refusal only points at it
        const Board& b = record.board();
        const auto count = ended == laws::kNoMove ? std::nullopt : record.count(ended);
        source = ended == laws::kNoMove ? (pieces_of(b, b.turn) ? "no_move_loses" : "no_pieces_loses")
                                        : "draw:" + book.laws->laws[std::size_t(ended)].id;
        Refused refused;
        refused.broken.push_back({"GAME_OVER", source.c_str(), count ? count->ending : 0, {}, {}});
        return refused;
    }
    const auto move = parse(rules, record.board(), text);
    if (!move) return examine(rules, record.board(), text);
    if (!move->taken)
        for (int rule = 0; rule < int(book.laws->rests.size()); ++rule)
            if (move->from == record.resting_king(rule)) {
                Refused refused;
                refused.broken.push_back({"KING_RESTS",
                                          "rest",
                                          rule,
                                          {{"square", Fact::Square, move->from},
                                           {"count", Fact::Number, book.laws->rests[std::size_t(rule)]},
                                           {"ply", Fact::Number, record.length() + 1}},
                                          {}});
                refused.instead = record.legal_moves();
                return refused;
            }
    return {};
}

/// The game that a text describes; where it cannot be played so, nothing, and the answer says why. The last one is
/// remembered: mostly one move is added to it.
std::optional<Played> load(Book& book, std::string_view text) {
    struct Remembered {
        const Book* book = nullptr;
        std::string header;
        std::vector<std::string> moves;
        std::optional<Played> game;
    };
    static Remembered last;

    const auto lines = split(text, '\n');
    if (lines.size() < 3) fail(Failure::Other);
    const std::string_view header = text.substr(0, std::size_t(lines[2].data() + lines[2].size() - text.data()));
    const auto flag = [&](std::size_t i) { return lines[0].size() > i && lines[0][i] == '1'; };
    const laws::Customs customs{flag(0), flag(1)};
    const auto calls = split(lines[2], ' ');
    std::size_t known = 0;
    std::optional<Played> game;
    if (last.book == &book && last.header == header) {
        while (known < last.moves.size() && known + 3 < lines.size() && last.moves[known] == lines[known + 3]) ++known;
        game = last.game;
        game->record = game->record.until(int(known));
        if (!lines[2].empty() && known < last.moves.size()) game.reset();  // calls are made again
    }
    if (!game) {
        known = 0;
        Board start = book.rules.start;
        if (!lines[1].empty()) {
            std::vector<Problem> problems;
            start = read_fen(book.rules, lines[1], problems);
            check_setup(book.rules, start, problems);
            if (!problems.empty()) {
                give_refusal(book, lines[1], {problems, {}, {}}, 0);
                return {};
            }
        }
        game = Played{Record(book.rules, book.laws, start, flag(2)), customs, flag(3)};
    }
    const auto call = [&](int ply) {
        for (std::size_t i = 0; i + 1 < calls.size(); i += 2)
            if (std::atoi(std::string(calls[i]).c_str()) == ply)
                game->record = game->record.call(std::string(calls[i + 1]));
    };
    if (known == 0 && game->record.calls().empty()) call(0);
    for (std::size_t i = known + 3; i < lines.size(); ++i) {
        const int ended = game->record.ended_by(customs);
        if (const auto refused = refused_in(book, *game, lines[i], ended)) {
            give_refusal(book, lines[i], *refused, game->record.length());
            return {};
        }
        game->record = *game->record.after(*parse(book.rules, game->record.board(), lines[i]), book.rules, true);
        call(game->record.length());
    }
    last = {&book, std::string(header), {}, game};
    for (std::size_t i = 3; i < lines.size(); ++i) last.moves.emplace_back(lines[i]);
    return game;
}

void write_count(Json& json, const Book& book, const Played& game, const Record::Count& count) {
    if (count.law == kOfferLaw) {
        json.open('{').key("rule").string(kOffer).key("have").number(count.need).key("need").number(count.need);
        json.key("since").number(game.record.move_number(count.first)).key("article").string("");
        json.key("ending").number(0).key("platform").boolean(true).close('}');
        return;
    }
    const laws::Law& law = book.laws->laws[std::size_t(count.law)];
    const int need = in_moves(*book.laws, law, count.need);
    json.open('{').key("rule").string(law.id).key("have");
    json.number(std::min(in_moves(*book.laws, law, count.have), need)).key("need").number(need);
    json.key("since").number(game.record.move_number(count.first));
    json.key("article").string(book.article("draw:" + law.id, count.ending));
    json.key("ending").number(count.ending);
    json.key("platform").boolean(law.platform).close('}');
}

/// What a limit would count if a player called attention to it now; nothing where it needs no call.
std::optional<Record::Count> uncalled(const Book& book, const Played& game, int number) {
    const laws::Law& law = book.laws->laws[std::size_t(number)];
    if (law.limit < 0 || game.record.state().counters.counts[law.limit] != laws::kUncalled) return {};
    if (law.platform && !game.customs.platform_rules) return {};
    return game.record.call(law.id).count(number);
}

void write_game(Json& json, const Book& book, const Played& game) {
    const Rules& rules = book.rules;
    const Record& record = game.record;
    const Board& b = record.board();
    const int ended = record.ended_by(game.customs);
    json.open('{').key("rulebook").string(rules.id).key("fen").string(write_fen(rules, b));
    json.key("turn").string(color_name(b.turn)).key("pieces").open('{');
    for (int s = 0; s < rules.squares; ++s) {
        const int bit = rules.bit_of_square[std::size_t(s)];
        const char* letter = b.men[White].test(bit)     ? "w"
                             : b.kings[White].test(bit) ? "W"
                             : b.men[Black].test(bit)   ? "b"
                             : b.kings[Black].test(bit) ? "B"
                                                        : nullptr;
        if (letter) json.key(std::to_string(s)).string(letter);
    }
    json.close('}').key("legal").open('[');
    std::vector<Move> routes;
    std::vector<Move> legal;
    if (ended == laws::kGoesOn) legal = record.legal_moves();
    const bool captures = !legal.empty() && legal.front().taken;
    if (captures) legal_moves(*rules.kernel, b, true, routes);
    for (const Move& move : legal) {
        json.open('{').key("text").string(write_move(rules, move)).key("routes").open('[');
        if (!captures) write_route(json, move);
        for (const Move& route : routes)
            if (route == move) write_route(json, route);
        json.close(']').key("captured");
        write_squares(json, move.victims, move.taken);
        json.key("promotes").boolean(move.promotes).close('}');
    }
    json.close(']').key("must_capture").boolean(rules.kernel->captures(rules.ruleset, b));
    json.key("ply").number(record.length()).key("last");
    if (record.length())
        write_last(json, rules, record.move(record.length()));
    else
        json.null();

    json.key("claimable").open('[');
    for (const auto& count : record.claimable(game.customs)) write_count(json, book, game, count);
    if (const auto offer = offered_draw(book, game)) write_count(json, book, game, *offer);
    json.close(']').key("attention").open('[');
    for (int number = 0; number < int(book.laws->laws.size()); ++number)
        if (const auto count = uncalled(book, game, number)) write_count(json, book, game, *count);
    json.close(']').key("counts").open('[');
    auto running = record.running(game.customs);
    std::stable_sort(running.begin(), running.end(),
                     [](const auto& x, const auto& y) { return x.need - x.have < y.need - y.have; });
    for (const auto& count : running) write_count(json, book, game, count);
    json.close(']').key("outcome");
    if (ended == laws::kGoesOn)
        json.null();
    else
        write_outcome(json, book, game, ended);
    json.close('}');
}

// --- the search ----------------------------------------------------------------------------------------------

void write_report(const Rules& rules, const Board& root, const search::Report& report) {
    Json json;
    json.open('{').key("lines").open('[');
    std::vector<Move> moves;
    for (const search::Line& line : report.lines) {
        json.open('{').key("score").number(line.score).key("depth").number(line.depth).key("moves").open('[');
        Board at = root;
        for (const Board& next : line.boards) {
            moves.clear();
            legal_moves(*rules.kernel, at, false, moves);
            const auto found = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
                return after(at, move, rules.bit_of_square[move.from], rules.bit_of_square[move.to]) == next;
            });
            if (found == moves.end()) break;
            json.string(write_move(rules, *found));
            at = next;
        }
        json.close(']').close('}');
    }
    json.close(']').key("nodes").number(static_cast<long long>(report.nodes)).key("depth").number(report.depth);
    json.key("deepest").number(report.deepest).key("microseconds").number(static_cast<long long>(report.seconds * 1e6));
    json.key("tableHits").number(static_cast<long long>(report.table_hits)).key("hashFull").number(report.hash_full);
    json.close('}');
    give(json);
}

}  // namespace

// --- what JavaScript calls -----------------------------------------------------------------------------------

#ifndef __wasm_atomics__  // with threads they need a lock: helpers.cpp has them
DAMAS_EXPORT("alloc") void* alloc(std::size_t size) { return std::malloc(size); }
DAMAS_EXPORT("release") void release(void* memory) { std::free(memory); }
#endif
DAMAS_EXPORT("answer_at") const char* answer_at() { return answer.data(); }
DAMAS_EXPORT("answer_size") std::size_t answer_size() { return answer.size(); }

/// The number of a new rulebook, or -1.
DAMAS_EXPORT("add_book") int add_book(const char* text, std::size_t size) {
    auto book = read_book({text, size});
    if (!book) return -1;
    books.push_back(std::move(book));
    return int(books.size()) - 1;
}

/// The view of a game; 1, or 0 where the answer is a refusal.
DAMAS_EXPORT("view_game") int view_game(int book, const char* text, std::size_t size) {
    const auto game = load(*books[std::size_t(book)], {text, size});
    if (!game) return 0;
    Json json;
    write_game(json, *books[std::size_t(book)], *game);
    give(json);
    return 1;
}

/// Why the last line may not be played after the lines before it; 1 if it may.
DAMAS_EXPORT("refusal") int refusal(int number, const char* data, std::size_t size) {
    Book& book = *books[std::size_t(number)];
    const std::string_view text(data, size);
    const std::size_t cut = text.rfind('\n');
    const auto game = load(book, text.substr(0, cut));
    if (!game) return 0;
    const std::string_view tried = text.substr(cut + 1);
    const auto refused = refused_in(book, *game, tried, game->record.ended_by(game->customs));
    if (!refused) return 1;
    give_refusal(book, tried, *refused, game->record.length());
    return 0;
}

/// How the last line is read in the last position of a game: its scheme and squares (none where it cannot be read),
/// where a man only passes the last row, and the legal move that its numbers mean from the bottom left.
DAMAS_EXPORT("reading") int reading(int number, const char* data, std::size_t size) {
    Book& book = *books[std::size_t(number)];
    const Rules& rules = book.rules;
    const std::string_view text(data, size);
    const std::size_t cut = text.rfind('\n');
    const auto game = load(book, text.substr(0, cut));
    if (!game) return 0;
    const Board& b = game->record.board();
    std::vector<Move> moves;
    legal_moves(*rules.kernel, b, false, moves);
    std::vector<Problem> problems;
    const MoveText read = read_move_text(rules, text.substr(cut + 1), problems);
    std::vector<u8> route = read.squares;
    Json json;
    json.open('{').key("scheme");
    if (problems.empty()) {
        json.string(read.scheme).key("squares");
        write_squares(json, read.squares.data(), int(read.squares.size()));
        const auto found = matching(rules, b, read, moves);
        if (found.size() == 1 && found[0].taken) {
            route.assign(1, found[0].from);
            route.insert(route.end(), found[0].landings, found[0].landings + found[0].taken);
        }
    } else {
        json.null().key("squares").open('[').close(']');
        route.clear();
    }
    json.key("uncrowned");
    if (const auto square = passed_last_row(rules, b, route))
        json.open('{').key("square").number(*square).key("article").string(book.article("promotion", 0)).close('}');
    else
        json.null();
    json.key("bottom_left");
    if (const auto move = from_bottom_left(rules, b, text.substr(cut + 1), moves))
        json.string(write_move(rules, *move));
    else
        json.null();
    json.close('}');
    give(json);
    return 1;
}

/// What a claim of a draw rule meets: whether there is such a rule, whether it waits for a claim or first for a call,
/// what it counts, and the outcome that a right claim brings.
DAMAS_EXPORT("claim") int claim(int number, const char* data, std::size_t size, const char* id, std::size_t id_size) {
    const Book& book = *books[std::size_t(number)];
    const auto game = load(*books[std::size_t(number)], {data, size});
    if (!game) return 0;
    const std::string_view rule(id, id_size);
    const auto& laws = book.laws->laws;
    const auto law = std::find_if(laws.begin(), laws.end(), [&](const laws::Law& each) {
        return each.id == rule && (game->customs.platform_rules || !each.platform);
    });
    const bool known = law != laws.end();
    const bool offer = rule == kOffer && has_offer(book, *game);
    int claimed = laws::kGoesOn;
    std::optional<Record::Count> counting;
    if (known)
        for (auto& count : game->record.running(game->customs))
            if (count.law == int(law - laws.begin())) counting = count;
    if (offer && offered_draw(book, *game)) claimed = kOfferLaw;
    Json json;
    json.open('{').key("known").boolean(known || offer).key("waits");
    json.boolean(offer || (known && book.laws->waits_for_claim(*law, game->customs)));
    json.key("attention").boolean(known && law->claim == laws::Claim::Unrecorded && !game->record.recorded());
    json.key("need").number(known ? in_moves(*book.laws, *law, law->need) : kOfferedOccurrence);
    json.key("article").string(known ? book.article("draw:" + law->id, 0) : "").key("counting");
    if (counting)
        write_count(json, book, *game, *counting);
    else
        json.null();
    bool right = claimed == kOfferLaw;
    for (const auto& count : game->record.claimable(game->customs))
        if (known && count.law == int(law - laws.begin())) {
            right = true;
            claimed = count.law;
        }
    json.key("outcome");
    if (right)
        write_outcome(json, book, *game, claimed);
    else
        json.null();
    json.close('}');
    give(json);
    return 1;
}

/// The start of a capture in the last position of a game, given by the last line: its route, and the FEN if it were
/// left there; null where no capture starts so. 0 where the line cannot be read.
DAMAS_EXPORT("unfinished") int unfinished(int number, const char* data, std::size_t size) {
    Book& book = *books[std::size_t(number)];
    const Rules& rules = book.rules;
    const std::string_view text(data, size);
    const std::size_t cut = text.rfind('\n');
    const auto game = load(book, text.substr(0, cut));
    if (!game) return 0;
    std::vector<Problem> problems;
    const auto route = read_move_text(rules, text.substr(cut + 1), problems).squares;
    if (!problems.empty()) {
        give_refusal(book, text.substr(cut + 1), {problems, {}, {}}, game->record.length());
        return 0;
    }
    Board b = game->record.board();
    std::vector<Move> moves;
    legal_moves(*rules.kernel, b, true, moves);
    const auto whole = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
        return route.size() > 1 && move.taken + 1u > route.size() && move.from == route[0] &&
               std::equal(route.begin() + 1, route.end(), move.landings);
    });
    Json json;
    if (whole == moves.end()) {
        json.null();
        give(json);
        return 1;
    }
    const Color us = b.turn;
    const auto bit = [&](int square) { return rules.bit_of_square[std::size_t(square)]; };
    const int from = bit(route.front()), to = bit(route.back());
    const bool crossed =
        std::any_of(route.begin() + 1, route.end(), [&](int square) { return rules.crown_row[us].test(bit(square)); });
    const bool crowned = rules.crown_row[us].test(to) || (crossed && rules.ruleset.promotion == Promotion::Continues);
    const bool king = b.kings[us].test(from);
    (king ? b.kings : b.men)[us].clear(from);
    (king || crowned ? b.kings : b.men)[us].set(to);
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        b.men[~us].clear(bit(whole->victims[i]));
        b.kings[~us].clear(bit(whole->victims[i]));
    }
    b.turn = ~us;
    json.open('{').key("route");
    write_squares(json, route.data(), int(route.size()));
    json.key("fen").string(write_fen(rules, b)).close('}');
    give(json);
    return 1;
}

DAMAS_EXPORT("perft") int perft(int number, const char* data, std::size_t size, int depth, int routes) {
    Book& book = *books[std::size_t(number)];
    const auto game = load(book, {data, size});
    if (!game) return 0;
    answer = std::to_string(book.rules.kernel->perft(book.rules.ruleset, game->record.board(), depth, routes != 0));
    return 1;
}

DAMAS_EXPORT("add_engine") int add_engine(int book, std::size_t hash_bytes, int platform_rules, int threads) {
    engines.push_back(
        std::make_unique<PlayerEngine>(*books[std::size_t(book)], hash_bytes, threads, platform_rules != 0));
    engines.back()->engine.use([] { return host_interrupted() != 0; });
    return int(engines.size()) - 1;
}
DAMAS_EXPORT("remove_engine") void remove_engine(int number) { engines[std::size_t(number)].reset(); }
DAMAS_EXPORT("forget") void forget(int number) { engines[std::size_t(number)]->engine.clear(); }

/// 1, or 0 where the bytes are no network of this board; the answer names the reason.
DAMAS_EXPORT("use_network") int use_network(int number, const u8* data, std::size_t size) {
    auto network = eval::Network::read(data, size, answer);
    if (!network) return 0;
    PlayerEngine& engine = *engines[std::size_t(number)];
    const Ruleset& rules = engine.book->rules.ruleset;
    answer = "board";
    if (network->size != rules.size || network->all_squares != rules.all_squares) return 0;
    engine.engine.use(std::shared_ptr<const eval::Network>(std::move(network)));
    return 1;
}

/// Makes the tables of up to so many pieces, of kings alone if `max_men` is 0, and lets the engine ask them.
DAMAS_EXPORT("use_tables") void use_tables(int number, int pieces, int max_men) {
    PlayerEngine& engine = *engines[std::size_t(number)];
    auto& tables = engine.book->tables(pieces, max_men);
    auto endings = std::make_unique<search::Endings>(tables, engine.engine.laws());
    for (const TableLaw& table : engine.book->table_laws)
        if (!table.rests && tables.available(table.material))
            endings->add(table.material, {true, table.count, table.started, table.diagonal, table.inside});
    engine.endings = std::move(endings);
    engine.engine.use(engine.endings->hook(pieces));
}

/// The code of the last position of a game: 0 drawn, 1 + 2d lost in d plies, 2 + 2d won in d; -1 if not there.
DAMAS_EXPORT("probe") int probe(int number, const char* data, std::size_t size, int table) {
    Book& book = *books[std::size_t(number)];
    const auto game = load(book, {data, size});
    if (!game) return -2;
    const Board& b = game->record.board();
    tablebase::Code code;
    const int pieces = pieces_of(b, White) + pieces_of(b, Black), men = b.men[White].count() + b.men[Black].count();
    return book.tables(pieces, men).probe(b, tablebase::TableKind(table), code) ? int(code) : -1;
}

/// Thinks about the last position of a game. `only`: texts of the moves it may choose from, one a line; or empty.
DAMAS_EXPORT("search")
int search_game(int number, const char* data, std::size_t size, const char* only, std::size_t only_size, int depth,
                double nodes, double soft_us, double hard_us, int lines, int noise, int share, int horizon,
                double seed_high, double seed_low) {
    PlayerEngine& engine = *engines[std::size_t(number)];
    Book& book = *engine.book;
    const auto game = load(book, {data, size});
    if (!game) return 0;
    const Board root = game->record.board();
    search::Limits limits;
    limits.depth = std::clamp(depth, 1, search::kMaxDepth);
    limits.nodes = whole(nodes);
    limits.soft_us = search::i64(whole(soft_us));
    limits.hard_us = search::i64(whole(hard_us));
    limits.lines = lines;
    const auto allow = [&](const Move& move) {
        limits.only.push_back(
            after(root, move, book.rules.bit_of_square[move.from], book.rules.bit_of_square[move.to]));
    };
    std::vector<Move> moves = game->record.legal_moves();
    if (game->record.ended_by(game->customs) != laws::kGoesOn) moves.clear();
    if (only_size) {
        const auto wanted = split({only, only_size}, '\n');
        std::erase_if(moves, [&](const Move& move) {
            const std::string text = write_move(book.rules, move);
            return std::find(wanted.begin(), wanted.end(), text) == wanted.end();
        });
    }
    if (moves.empty()) {
        write_report(book.rules, root, {});
        return 1;
    }
    if (int(moves.size()) != book.rules.kernel->count(book.rules.ruleset, root))
        for (const Move& move : moves) allow(move);
    search::Handicap handicap;
    handicap.noise = noise;
    handicap.network_share = share;
    handicap.horizon = horizon;
    handicap.seed = whole(seed_high) << 32 | whole(seed_low);
    const auto report =
        engine.engine.search(search::history_of(game->record), limits, handicap, [&](const search::Report& so_far) {
            write_report(book.rules, root, so_far);
            host_report();
        });
    write_report(book.rules, root, report);
    return 1;
}

}  // namespace wasm
}  // namespace damas
