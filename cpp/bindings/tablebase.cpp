// Endgame tables as Python sees them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nanobind/typing.h>

#include <cerrno>

#include "../tablebase/archive.hpp"
#include "tables.hpp"

namespace damas::python {

using namespace nb::literals;
using namespace tablebase;

namespace {

using Counts = MaterialCounts;
/// Law (0: none), moves needed, only the stronger side's, and whether a capture, man's move, promotion resets it.
using PyCount = std::tuple<int, int, bool, bool, bool, bool>;

Counts counts(const Material& m) { return {m.men[White], m.kings[White], m.men[Black], m.kings[Black]}; }
Count count(const PyCount& c) {
    return {std::get<0>(c), std::get<1>(c), std::get<2>(c), {std::get<3>(c), std::get<4>(c), std::get<5>(c)}};
}

}  // namespace

void bind_tablebase(nb::module_& m) {
    nb::exception<Damaged>(m, "DamagedTable", PyExc_ValueError);

    m.attr("TABLE_FORMAT") = kFormat;

    nb::class_<Progress>(m, "Progress", "How far long work is; may be read and stopped from another thread.")
        .def(nb::init<>())
        .def_prop_ro("done", [](const Progress& p) { return p.done.load(); })
        .def("stop", [](Progress& p) { p.stop = true; });

    nb::class_<PyTables>(m, "EndgameTables",
                         "Endgame tables of one set of rules. Materials are canonical: White the stronger side.")
        .def(
            "__init__",
            [](PyTables* self, const Rules& rules, nb::bytes key) {
                if (rules.ruleset.all_squares || rules.ruleset.size > 10)
                    throw nb::value_error("tables are for the boards of 32 and 50 squares");
                if (key.size() != 32) throw nb::value_error("a key has 32 bytes");
                new (self) PyTables{&rules, std::make_unique<EndgameTables>(rules.ruleset, rules.interpreted,
                                                                            std::string(key.c_str(), key.size()))};
            },
            "rules"_a, "key"_a)
        .def(
            "declare",
            [](PyTables& t, const Counts& c, const PyCount& fresh, bool starts, const PyCount& started, int diagonal,
               bool immediate_draw, bool unavoidable, bool endless_wins) {
                const Material wanted = material(c);
                if (!wanted.canonical() || !wanted.of(White) || !wanted.of(Black) || wanted.pieces() > kMaxPieces)
                    throw nb::value_error("not a material that tables are made of");
                Law law;
                law.count = count(fresh);
                law.starts = starts;
                law.started = count(started);
                if (diagonal < 0 || diagonal > kMaxHeld)
                    throw nb::value_error("the diagonal is held for 10 plies at most");
                law.diagonal = diagonal;
                law.immediate_draw = immediate_draw;
                law.unavoidable = unavoidable;
                law.endless_wins = endless_wins;
                return t.tables->declare(wanted, law).size();
            },
            "material"_a, "count"_a, "starts"_a, "started"_a, "diagonal"_a, "immediate_draw"_a, "unavoidable"_a,
            "endless_wins"_a,
            "Makes a material known with its law; returns how many positions it has for one side to move.")
        .def(
            "solve",
            [](PyTables& t, const Counts& c, int threads, Progress& progress) {
                const Material wanted = t.declared(c);
                nb::gil_scoped_release release;
                return t.tables->solve(wanted, threads, progress);
            },
            "material"_a, "threads"_a, "progress"_a, "False if it was stopped.")
        .def(
            "save",
            [](const PyTables& t, const Counts& c, const std::string& path, int threads) {
                const Material wanted = t.declared(c);
                try {
                    nb::gil_scoped_release release;
                    t.tables->save(wanted, path, threads);
                } catch (const NotWritten& trouble) {
                    errno = trouble.error;
                    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
                    throw nb::python_error();
                }
            },
            "material"_a, "path"_a, "threads"_a, "Raises OSError.")
        .def(
            "open", [](PyTables& t, const Counts& c, const std::string& path) { t.tables->open(t.declared(c), path); },
            "material"_a, "path"_a)
        .def(
            "load",
            [](PyTables& t, const Counts& c, int threads) {
                const Material wanted = t.declared(c);
                nb::gil_scoped_release release;
                t.tables->load(wanted, threads);
            },
            "material"_a, "threads"_a)
        .def(
            "check",
            [](PyTables& t, const Counts& c, int threads) {
                const Material wanted = t.declared(c);
                nb::gil_scoped_release release;
                t.tables->check(wanted, threads);
            },
            "material"_a, "threads"_a, "Reads a whole file; raises DamagedTable.")
        .def(
            "release", [](PyTables& t, const Counts& c) { t.tables->find(t.declared(c))->release(); }, "material"_a,
            "Gives back the memory; its file still answers.")
        .def(
            "available", [](const PyTables& t, const Counts& c) { return t.tables->available(material(c)); },
            "material"_a)
        .def(
            "probe",
            [](const PyTables& t, const PyPosition& p, int table) {
                Code code;
                return t.tables->probe(p.board, TableKind(table), code) ? int(code) : -1;
            },
            "position"_a, "table"_a, "A code: 0 drawn, 1 + 2d lost in d plies, 2 + 2d won in d; -1 if not there.")
        .def(
            "tally",
            [](const PyTables& t, const Counts& c, nb::handle type) {
                const Material wanted = t.declared(c);
                std::vector<Tally> found;
                {
                    nb::gil_scoped_release release;
                    found = t.tables->tally(wanted);
                }
                nb::list list;
                for (const Tally& x : found) {
                    nb::list halves;
                    for (int i = 0; i < 2; ++i) {
                        const Board b = t.tables->board({wanted, x.longest_turn[i], x.longest_index[i]});
                        halves.append(
                            nb::make_tuple(x.wins[i], x.draws[i], x.losses[i], x.longest[i], wrap(type, t.rules, b)));
                    }
                    list.append(nb::make_tuple(counts(x.material), halves));
                }
                return list;
            },
            "material"_a, "position_type"_a,
            nb::sig("def tally(self, material: tuple[int, int, int, int], position_type: object) -> "
                    "list[tuple[tuple[int, int, int, int], list[tuple[int, int, int, int, typing.Any]]]]"),
            "For each order of the material, White to move: (wins, draws, losses, longest, where), without limits and "
            "with.")
        .def(
            "verify",
            [](const PyTables& t, const Counts& c, u64 samples, int threads, Progress& progress, nb::handle type) {
                const Material wanted = t.declared(c);
                std::vector<Mismatch> found;
                u64 looked;
                {
                    nb::gil_scoped_release release;
                    looked = t.tables->verify(wanted, samples, threads, progress, found);
                }
                nb::list list;
                for (const Mismatch& x : found)
                    list.append(
                        nb::make_tuple(wrap(type, t.rules, x.board), int(x.table), int(x.stored), int(x.derived)));
                return nb::make_tuple(looked, list);
            },
            "material"_a, "samples"_a, "threads"_a, "progress"_a, "position_type"_a,
            nb::sig("def verify(self, material: tuple[int, int, int, int], samples: int, threads: int, "
                    "progress: Progress, position_type: object) -> "
                    "tuple[int, list[tuple[typing.Any, int, int, int]]]"),
            "Derives every position anew from its moves (or so many samples): how many, and what differs.");
}

}  // namespace damas::python
