// Replays games from squares that change; it knows no rules. Nothing is loaded from anywhere.
(() => {
  const source = document.getElementById("data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const root = document.querySelector(".replay");
  const find = (name) => root.querySelector(name);
  const [pieces, marks, slider, moves, caption] = [".pieces", ".marks", ".slider", ".moves", ".caption"].map(find);
  let game = null, plies = [], ply = 0, timer = 0;

  function make(name, values, parent) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(values)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  }

  function board(until) {
    const squares = [...game.s];
    for (const changes of plies.slice(0, until).map((each) => each.changes))
      for (let at = 0; at < changes.length; at += 2) squares[data.letters.indexOf(changes[at])] = changes[at + 1];
    return squares;
  }

  function show(number) {
    ply = Math.max(0, Math.min(plies.length, number));
    pieces.replaceChildren();
    marks.replaceChildren();
    board(ply).forEach((letter, square) => {
      const [x, y] = data.places[square];
      if (letter !== ".") make("use", { href: `#piece-${letter}`, x, y, width: data.square, height: data.square }, pieces);
    });
    if (ply) {
      const trail = [...plies[ply - 1].trail].map((letter) => data.places[data.letters.indexOf(letter)]);
      const half = data.square / 2;
      for (const [x, y] of [trail[0], trail.at(-1)]) make("rect", { x: x + 3, y: y + 3, width: data.square - 6, height: data.square - 6, rx: 4 }, marks);
      make("polyline", { points: trail.map(([x, y]) => `${x + half},${y + half}`).join(" ") }, marks);
    }
    slider.value = ply;
    const end = ply === plies.length;
    const place = data.ply.replace("#", ply).replace("%", plies.length);
    caption.textContent = end ? `${place}. ${game.r}, ${game.why}${game.art ? ` (${game.art})` : ""}` : `${place}${ply ? `: ${plies[ply - 1].text}` : ""}`;
    for (const each of moves.querySelectorAll("button")) {
      if (Number(each.dataset.ply) === ply) {
        each.setAttribute("aria-current", "true");
        moves.scrollTop = each.offsetTop - moves.offsetTop - moves.clientHeight / 2;
      } else each.removeAttribute("aria-current");
    }
    if (end) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  function open(number, last) {
    stop();
    game = data.games[number];
    const texts = game.t ? game.t.split("|") : [];
    const changes = game.c.split(","), trails = game.l.split(",");
    plies = texts.map((text, at) => ({ text, changes: changes[at], trail: trails[at] }));
    for (const [side, name, won] of [["white", game.w, "1-0"], ["black", game.b, "0-1"]]) {
      const label = find(`.seat.${side} b`);
      label.textContent = name;
      label.classList.toggle("won", game.r === won);
    }
    slider.max = plies.length;
    moves.replaceChildren();
    plies.forEach((each, at) => {
      if (at % 2 === 0) moves.append(Object.assign(document.createElement("span"), { textContent: `${at / 2 + 1}.` }));
      const button = Object.assign(document.createElement("button"), { textContent: each.text });
      button.dataset.ply = at + 1;
      moves.append(button);
    });
    for (const each of root.querySelectorAll(".list button")) {
      if (Number(each.dataset.game) === number) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    show(last ? plies.length : 0);
  }

  function choose(pair) {
    find(".chosen span").textContent = pair ? pair.join(" – ") : "";
    find(".chosen button").hidden = !pair;
    let first = null;
    for (const item of root.querySelectorAll(".list li")) {
      const { w, b } = data.games[Number(item.firstChild.dataset.game)];
      item.hidden = Boolean(pair) && !(pair.includes(w) && pair.includes(b));
      if (!item.hidden && first === null) first = Number(item.firstChild.dataset.game);
    }
    if (first !== null) open(first, false);
  }

  const steps = {
    first: () => { stop(); show(0); },
    back: () => { stop(); show(ply - 1); },
    forward: () => { stop(); show(ply + 1); },
    last: () => { stop(); show(plies.length); },
    play: () => {
      if (timer) return stop();
      if (ply === plies.length) show(0);
      timer = setInterval(() => show(ply + 1), 700);
    },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.step) steps[button.dataset.step]();
    else if (button.dataset.ply) { stop(); show(Number(button.dataset.ply)); }
    else if (button.dataset.pair) { choose(JSON.parse(button.dataset.pair)); document.getElementById("games").scrollIntoView({ behavior: "smooth" }); }
    else if (button.dataset.game) {
      open(Number(button.dataset.game), "last" in button.dataset);
      if ("last" in button.dataset) document.getElementById("games").scrollIntoView({ behavior: "smooth" });
    } else if (button.parentElement.className === "chosen") choose(null);
  });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
    if (step && root.contains(document.activeElement) && document.activeElement !== slider) {
      event.preventDefault();
      steps[step]();
    }
  });
  open(0, true);
})();
