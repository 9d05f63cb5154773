// The engine as Python sees it. Translates and decides nothing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "records.hpp"
#include "search/endings.hpp"
#include "search/selfplay.hpp"
#include "tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace damas;
using namespace damas::python;
using namespace damas::search;
using eval::Network;

namespace {

using laws::Laws;
using LawsPtr = std::shared_ptr<Laws>;
using NetworkPtr = std::shared_ptr<const Network>;
using Counts = nb::typed<nb::dict, nb::str, nb::any>;

struct PyLine {
    Score score;
    int depth;
    const Rules* rules;
    std::vector<Move> moves;
};

struct PyReport {
    Report report;
    std::vector<PyLine> lines;
};

/// An engine and the rules whose moves it names.
struct PyEngine {
    const Rules* rules;
    Engine engine;
    std::unique_ptr<Endings> endings;

    PyEngine(const Rules& r, const Laws& laws, bool platform_rules, std::size_t bytes, int threads, bool interpreted,
             bool baseline)
        : rules(&r), engine(r.ruleset, laws.under({platform_rules, false}), bytes, threads, interpreted, baseline) {}
};

/// The moves between the boards of a line.
PyReport report_of(const Rules& rules, const Board& root, const Report& report) {
    PyReport out{report, {}};
    for (const Line& line : report.lines) {
        PyLine named{line.score, line.depth, &rules, {}};
        PyPosition p{&rules, root};
        for (const Board& next : line.boards) {
            bool found = false;
            for (const Move& move : legal(p))
                if (play(p, move) == next) {
                    named.moves.push_back(move);
                    found = true;
                    break;
                }
            if (!found) break;
            p.board = next;
        }
        out.lines.push_back(std::move(named));
    }
    return out;
}

History checked_history(const PyEngine& e, const PyRecord& record) {
    if (record.record.rules().squares != e.rules->squares) throw nb::value_error("the boards differ");
    if (record.record.laws().limits.size() != e.engine.laws().limits.size())
        throw nb::value_error("the game has other laws");
    return history_of(record.record);
}

void check_board(const Rules& rules, const NetworkPtr& network) {
    if (network && (network->size != rules.ruleset.size || network->all_squares != rules.ruleset.all_squares))
        throw nb::value_error("the network is of another board");
}

RunSettings settings_of(const Rules& rules, LawsPtr laws, u64 seed) {
    RunSettings settings;
    settings.rules = &rules;
    settings.laws = std::move(laws);
    settings.start = rules.start;
    settings.seed = seed;
    return settings;
}

}  // namespace

void damas::python::bind_engine(nb::module_& m) {
    nb::class_<Network>(m, "Network", "A network of integers that scores quiet positions.")
        .def_static(
            "read",
            [](nb::bytes data) {
                std::string problem;
                auto network = Network::read(static_cast<const u8*>(data.data()), data.size(), problem);
                if (!network) throw nb::value_error(problem.c_str());
                return std::shared_ptr<Network>(std::move(network));
            },
            "data"_a, "Reads a file's bytes; raises ValueError with the one thing that is wrong.")
        .def_prop_ro("size", [](const Network& n) { return int(n.size); })
        .def_prop_ro("all_squares", [](const Network& n) { return n.all_squares; })
        .def_prop_ro("rules", [](const Network& n) { return n.rules; })
        .def_prop_ro("card", [](const Network& n) { return n.card; })
        .def_prop_ro("checksum", [](const Network& n) { return n.checksum; });
    m.def(
        "rules_fingerprint", [](const Rules& rules) { return eval::rules_fingerprint(rules.ruleset); }, "rules"_a,
        "64 bits that are equal for rules that move alike.");

    nb::class_<PyLine>(m, "Line", "Moves the search expects, and their score for the side to move.")
        .def_ro("score", &PyLine::score)
        .def_ro("depth", &PyLine::depth)
        .def_prop_ro("moves", [](const PyLine& l) {
            std::vector<PyMove> moves;
            for (const Move& move : l.moves) moves.push_back({l.rules, move});
            return moves;
        });
    nb::class_<PyReport>(m, "Report", "What a search has found.")
        .def_prop_ro("depth", [](const PyReport& r) { return r.report.depth; })
        .def_prop_ro("deepest", [](const PyReport& r) { return r.report.deepest; })
        .def_prop_ro("nodes", [](const PyReport& r) { return r.report.nodes; })
        .def_prop_ro("table_hits", [](const PyReport& r) { return r.report.table_hits; })
        .def_prop_ro("seconds", [](const PyReport& r) { return r.report.seconds; })
        .def_prop_ro("hash_full", [](const PyReport& r) { return r.report.hash_full; })
        .def_prop_ro("over", [](const PyReport& r) { return r.report.over; })
        .def_prop_ro("verdict", [](const PyReport& r) { return r.report.verdict; })
        .def_ro("lines", &PyReport::lines);

    nb::class_<PyEngine>(m, "Engine", "A search with its memory and threads. One search at a time.")
        .def(nb::init<const Rules&, const Laws&, bool, std::size_t, int, bool, bool>(), "rules"_a, "laws"_a,
             nb::kw_only(), "platform_rules"_a = true, "hash_bytes"_a, "threads"_a, "interpreted"_a = false,
             "baseline"_a = false, nb::keep_alive<1, 2>())
        .def(
            "use",
            [](PyEngine& e, NetworkPtr network) {
                check_board(*e.rules, network);
                e.engine.use(std::move(network));
            },
            "network"_a.none())
        .def(
            "use_tables",
            [](PyEngine& e, const PyTables& tables, int pieces,
               const std::vector<std::tuple<MaterialCounts, int, int, int, int>>& materials) {
                if (tables.rules->squares != e.rules->squares) throw nb::value_error("the boards differ");
                auto endings = std::make_unique<Endings>(*tables.tables, e.engine.laws());
                const int limits = int(e.engine.laws().limits.size());
                for (const auto& [counts, count, started, diagonal, inside] : materials) {
                    for (const int limit : {count, started, diagonal})
                        if (limit < -1 || limit >= limits) throw nb::value_error("no such limit");
                    endings->add(tables.declared(counts), {true, count, started, diagonal, u16(inside)});
                }
                e.endings = std::move(endings);
                e.engine.use(e.endings->hook(pieces));
            },
            "tables"_a, "pieces"_a, "materials"_a, nb::keep_alive<1, 2>(),
            "Asks endgame tables of up to so many pieces: for each material, the limits that its tables count.")
        .def(
            "ticket", [](PyEngine& e) { return e.engine.ticket(); },
            "Announces a search: `stop` and `ponder_hit` reach it even before it begins.")
        .def(
            "search",
            [](PyEngine& e, const PyRecord& record, int depth, u64 nodes, i64 soft_us, i64 hard_us, int lines,
               bool ponder, int noise, int share, int horizon, u64 seed, const std::vector<PyPosition>& only,
               u64 ticket, nb::object watcher) {
                History history = checked_history(e, record);
                const Board root = history.boards.back();
                Limits limits{depth, nodes, soft_us, hard_us, lines, ponder, {}};
                for (const PyPosition& p : only) limits.only.push_back(p.board);
                Handicap handicap;
                handicap.noise = noise;
                handicap.network_share = share;
                handicap.horizon = horizon;
                handicap.seed = seed;
                std::function<void(const Report&)> on_report;
                std::exception_ptr raised;
                if (!watcher.is_none())
                    on_report = [&](const Report& report) {
                        nb::gil_scoped_acquire gil;
                        try {
                            watcher(report_of(*e.rules, root, report));
                        } catch (...) {
                            raised = std::current_exception();
                            e.engine.stop();
                        }
                    };
                Report report;
                {
                    nb::gil_scoped_release release;
                    report = e.engine.search(std::move(history), limits, handicap, on_report, ticket);
                }
                if (raised) std::rethrow_exception(raised);
                return report_of(*e.rules, root, report);
            },
            "record"_a, nb::kw_only(), "depth"_a = kMaxDepth, "nodes"_a = 0, "soft_us"_a = 0, "hard_us"_a = 0,
            "lines"_a = 1, "ponder"_a = false, "noise"_a = 0, "share"_a = 256, "horizon"_a = kMaxPlies, "seed"_a = 0,
            "only"_a = std::vector<PyPosition>(), "ticket"_a = 0, "watcher"_a = nb::none(),
            "Thinks about the last position of a game until a limit is met or `stop` is called.")
        .def(
            "stop", [](PyEngine& e) { e.engine.stop(); },
            "From any thread: ends the search in progress, and each that has a ticket.")
        .def(
            "ponder_hit", [](PyEngine& e) { e.engine.ponder_hit(); }, "The expected move was played: the clock runs.")
        .def(
            "clear", [](PyEngine& e) { e.engine.clear(); }, nb::call_guard<nb::gil_scoped_release>(),
            "Forgets everything learned in earlier searches.")
        .def(
            "standing",
            [](PyEngine& e, const PyPosition& p) {
                if (p.rules->squares != e.rules->squares) throw nb::value_error("the boards differ");
                return e.engine.standing(p.board);
            },
            "position"_a, nb::call_guard<nb::gil_scoped_release>(), "The static score, for the side to move.");

    m.def(
        "harvest",
        [](const Rules& rules, LawsPtr laws, NetworkPtr network, u64 nodes, u64 seed, u64 first, int games, int threads,
           std::pair<int, int> random, int fair, bool threatened, const PyEngine* table_engine, Progress* progress) {
            check_board(rules, network);
            if (random.first < 0 || random.second < random.first)
                throw nb::value_error("the random plies are a minimum and a maximum");
            RunSettings settings = settings_of(rules, std::move(laws), seed);
            settings.min_random = random.first;
            settings.max_random = random.second;
            settings.fair = fair;
            settings.threatened = threatened;
            settings.progress = progress;
            if (table_engine) {
                if (table_engine->rules != &rules ||
                    table_engine->engine.laws().limits.size() != settings.laws->limits.size())
                    throw nb::value_error("its tables were made for other rules");
                settings.tables = table_engine->engine.tables();
            }
            Player player{std::move(network), {}};
            player.limits.nodes = nodes;
            Harvest played;
            {
                nb::gil_scoped_release release;
                played = harvest(settings, player, first, games, threads);
            }
            nb::dict counts;
            counts["games"] = played.games;
            counts["positions"] = played.positions;
            counts["plies"] = played.plies;
            counts["nodes"] = played.nodes;
            counts["results"] = nb::make_tuple(played.results[2], played.results[1], played.results[0]);
            return std::pair(nb::bytes(played.records.data(), played.records.size()), Counts(counts));
        },
        "rules"_a, "laws"_a, "network"_a.none(), nb::kw_only(), "nodes"_a, "seed"_a, "first"_a, "games"_a, "threads"_a,
        "random"_a = std::pair(4, 9), "fair"_a = 150, "threatened"_a = false, "table_engine"_a = nb::none(),
        "progress"_a = nb::none(),
        "Games of the engine against itself: records to learn from, and counts. The endgame tables of another engine "
        "end three games in four.");
    m.def(
        "pairs",
        [](const Rules& rules, LawsPtr laws, NetworkPtr first, NetworkPtr second, u64 nodes, i64 move_us, u64 seed,
           u64 from, int count, int threads) {
            check_board(rules, first);
            check_board(rules, second);
            RunSettings settings = settings_of(rules, std::move(laws), seed);
            settings.fair = 100;
            settings.hash_bytes = 1 << 22;
            Player players[2] = {{std::move(first), {}}, {std::move(second), {}}};
            for (Player& player : players) {
                player.limits.nodes = nodes;
                player.limits.hard_us = move_us;
            }
            Pairs played;
            {
                nb::gil_scoped_release release;
                played = pairs(settings, players[0], players[1], from, count, threads);
            }
            return std::pair(std::vector<u64>(played.scores, played.scores + 5),
                             std::vector<u64>(played.results, played.results + 3));
        },
        "rules"_a, "laws"_a, "first"_a.none(), "second"_a.none(), nb::kw_only(), "nodes"_a, "move_us"_a, "seed"_a,
        "from_pair"_a, "count"_a, "threads"_a,
        "Pairs of games from the same opening with colours changed: how many pairs gave the first player 0, 1/2, ... 2 "
        "points, and how many games it lost, drew and won.");
    m.def("record_bytes", [](const Rules& rules) { return record_bytes(rules); }, "rules"_a);
}
