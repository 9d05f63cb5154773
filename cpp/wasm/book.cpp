#include "book.hpp"

#include <algorithm>
#include <cstdlib>

namespace damas::wasm {

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0;;) {
        const std::size_t to = text.find(by, from);
        parts.push_back(text.substr(from, to == text.npos ? to : to - from));
        if (to == text.npos) return parts;
        from = to + 1;
    }
}

namespace {

/// The words of a line after the first, one after the other.
struct Words {
    std::vector<std::string_view> words;
    std::size_t next = 1;

    bool done() const { return next >= words.size(); }
    std::string text() { return done() ? std::string() : std::string(words[next++]); }
    int number() { return std::atoi(text().c_str()); }
    bool flag() { return number() != 0; }
    std::vector<std::string> texts() {
        std::vector<std::string> rest;
        while (!done()) rest.push_back(text());
        return rest;
    }
    std::vector<u8> squares() {
        std::vector<u8> rest;
        while (!done()) rest.push_back(u8(number()));
        return rest;
    }
};

laws::Law law_of(Words& words) {
    laws::Law law;
    law.id = words.text();
    law.kind = laws::Kind(words.number());
    law.need = words.number();
    law.decides = words.flag() ? laws::Decides::Pieces : laws::Decides::Draw;
    law.claim = laws::Claim(words.number());
    law.platform = words.flag();
    law.off_during = words.number();
    return law;
}

laws::Limit limit_of(Words& words, const laws::Law& law) {
    laws::Limit limit;
    const auto range = [&] {
        const int least = words.number();
        return laws::Range{least, words.number()};
    };
    limit.need = law.need;
    limit.decides = law.decides;
    limit.strong_only = words.flag();
    limit.starts = laws::Starts(words.number());
    limit.while_weak_king_on_diagonal = words.flag();
    limit.capture_resets = words.flag();
    limit.man_move_resets = words.flag();
    limit.promotion_resets = words.flag();
    limit.unless = laws::Unless(words.number());
    limit.pieces = range();
    limit.max_pieces_a_side = words.number();
    limit.kings_on_both_sides = words.flag();
    while (!words.done()) {
        laws::Limit::Ending ending;
        for (int side = 0; side < 2; ++side) {
            ending.kings[side] = range();
            ending.men[side] = range();
        }
        limit.endings.push_back(ending);
    }
    return limit;
}

TableLaw table_of(Words& words) {
    TableLaw table;
    const auto small = [&] { return u8(words.number()); };
    const auto count = [&] {
        tablebase::Count c;
        c.law = words.number();
        c.need = words.number();
        c.strong = words.flag();
        for (bool& reset : c.resets) reset = words.flag();
        return c;
    };
    for (const Color c : {White, Black}) {
        table.material.men[c] = small();
        table.material.kings[c] = small();
    }
    table.law.count = count();
    table.law.starts = words.flag();
    table.law.started = count();
    table.law.diagonal = words.number();
    table.law.immediate_draw = words.flag();
    table.law.unavoidable = words.flag();
    table.law.endless_wins = words.flag();
    table.count = words.number();
    table.started = words.number();
    table.diagonal = words.number();
    table.inside = u16(words.number());
    table.rests = words.flag();
    return table;
}

}  // namespace

std::unique_ptr<Book> read_book(std::string_view text) {
    auto book = std::make_unique<Book>();
    Rules& rules = book->rules;
    Ruleset& r = rules.ruleset;
    rules.interpreted = false;
    for (const std::string_view line : split(text, '\n')) {
        Words words{split(line, ' ')};
        const std::string_view what = words.words[0];
        if (what == "id")
            rules.id = words.text();
        else if (what == "board") {
            r.size = u8(words.number());
            r.all_squares = words.flag();
        } else if (what == "moves") {
            r.capture_lines = CaptureLines(words.number());
            r.men_capture_backward = words.flag();
            r.men_capture_kings = words.flag();
            r.flying_king = words.flag();
            r.king_landing = Landing(words.number());
            r.promotion = Promotion(words.number());
            r.removal = Removal(words.number());
        } else if (what == "priority") {
            for (Priority& priority : r.capture_priority) priority = Priority(words.number());
        } else if (what == "algebraic")
            rules.notation.algebraic = words.texts();
        else if (what == "numbers")
            rules.notation.numbers = words.texts();
        else if (what == "rows_columns")
            rules.notation.rows_columns = words.texts();
        else if (what == "text") {
            rules.notation.fen = words.text();
            rules.notation.moves = words.text();
        } else if (what == "white")
            rules.white_start = words.squares();
        else if (what == "black")
            rules.black_start = words.squares();
        else if (what == "starter") {
            rules.starter = words.flag() ? Black : White;
            book->laws =
                std::make_shared<laws::Laws>(int(std::max(rules.white_start.size(), rules.black_start.size())));
        } else if (what == "law" && book->laws)
            book->laws->add(law_of(words));
        else if (what == "limit" && book->laws) {
            laws::Law law = law_of(words);
            laws::Limit limit = limit_of(words, law);
            book->laws->add(std::move(law), std::move(limit));
        } else if (what == "rest" && book->laws)
            book->laws->rests.push_back(words.number());
        else if (what == "article") {
            std::string key = words.text();
            std::vector<std::string> ids = words.texts();
            std::replace(ids.begin(), ids.end(), std::string("-"), std::string());
            book->articles[std::move(key)] = std::move(ids);
        } else if (what == "table")
            book->table_laws.push_back(table_of(words));
    }
    const std::size_t squares = std::size_t(r.size) * r.size / (r.all_squares ? 1 : 2);
    const auto& names = rules.notation;
    if (!book->laws || (r.size != 8 && r.size != 10 && r.size != 12) || names.algebraic.size() != squares ||
        names.numbers.size() != squares || names.rows_columns.size() != squares)
        return nullptr;
    rules.derive();
    return book;
}

std::string_view Book::article(std::string_view source, int part) const {
    const auto found = articles.find(source);
    if (found == articles.end() || found->second.empty()) return "";
    return found->second[std::min(std::size_t(part), found->second.size() - 1)];
}

tablebase::EndgameTables& Book::tables(int pieces, int max_men) {
    if (!tables_)
        tables_ = std::make_unique<tablebase::EndgameTables>(rules.ruleset, rules.interpreted, std::string(32, ' '));
    Progress progress;
    for (const TableLaw& table : table_laws) {
        const tablebase::Material& m = table.material;
        if (m.pieces() > pieces || m.men[White] + m.men[Black] > max_men || tables_->available(m)) continue;
        tables_->declare(m, table.law);
        tables_->solve(m, 1, progress);
    }
    return *tables_;
}

}  // namespace damas::wasm
