// Replays the games of a report, which is one file: nothing is loaded, and no rules are known here.
(() => {
  /**
   * A game: start squares `s`; moves `t` separated by |; changed squares `c` and routes `l` of each ply,
   * separated by
   * commas; names `w` and `b`; result `r`, its reason `why` and article `art`.
   * @typedef {{s: string, t: string, c: string, l: string, w: string, b: string, r: string, why: string, art:
   *   string}} Game
   *
   * `letters` stand for squares in `c` and `l`; `places` are the corners of the squares in the drawing,
   * `square` their
   * size; `ply` is the caption, with # for the ply and % for the number of plies.
   * @typedef {{games: Game[], letters: string, places: [number, number][], square: number, ply: string}} Data
   */

  const STEP_MS = 700;
  const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
  const source = document.getElementById('data');
  if (!source) return;
  /** @type {Data} */
  const data = JSON.parse(source.textContent ?? '');
  const root = /** @type {HTMLElement} */ (document.querySelector('.replay'));

  /** @param {string} selector */
  const find = (selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  const pieces = find('.pieces'), marks = find('.marks'), moves = find('.moves'), caption = find('.caption');
  const slider = /** @type {HTMLInputElement} */ (find('.slider'));

  let game = data.games[0];
  /** @type {{text: string, changes: string, route: string}[]} */
  let plies = [];
  let ply = 0;
  let timer = 0;

  /** @param {string} name @param {Record<string, string | number>} attributes @param {Element} parent */
  function draw(name, attributes, parent) {
    const element = document.createElementNS(SVG_NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    parent.append(element);
  }

  /** The pieces after a number of plies, by square. @param {number} count */
  function squaresAfter(count) {
    const squares = [...game.s];
    for (const { changes } of plies.slice(0, count)) {
      for (let i = 0; i < changes.length; i += 2) squares[data.letters.indexOf(changes[i])] = changes[i + 1];
    }
    return squares;
  }

  /** @param {string} route */
  function drawRoute(route) {
    const corners = [...route].map((letter) => data.places[data.letters.indexOf(letter)]);
    const half = data.square / 2, side = data.square - 6;
    for (const [x, y] of [corners[0], corners[corners.length - 1]]) {
      draw('rect', { x: x + 3, y: y + 3, width: side, height: side, rx: 4 }, marks);
    }
    draw('polyline', { points: corners.map(([x, y]) => `${x + half},${y + half}`).join(' ') }, marks);
  }

  function captionText() {
    const place = data.ply.replace('#', String(ply)).replace('%', String(plies.length));
    if (ply < plies.length) return ply ? `${place}: ${plies[ply - 1].text}` : place;
    return `${place}. ${game.r}, ${game.why}${game.art ? ` (${game.art})` : ''}`;
  }

  /** @param {Element} element @param {boolean} isCurrent */
  function setCurrent(element, isCurrent) {
    if (isCurrent) element.setAttribute('aria-current', 'true');
    else element.removeAttribute('aria-current');
  }

  /** @param {number} number of plies */
  function show(number) {
    ply = Math.max(0, Math.min(plies.length, number));
    pieces.replaceChildren();
    marks.replaceChildren();
    squaresAfter(ply).forEach((letter, square) => {
      const [x, y] = data.places[square];
      const size = { width: data.square, height: data.square };
      if (letter !== '.') draw('use', { href: `#piece-${letter}`, x, y, ...size }, pieces);
    });
    if (ply) drawRoute(plies[ply - 1].route);
    slider.value = String(ply);
    caption.textContent = captionText();
    for (const button of moves.querySelectorAll('button')) {
      const isCurrent = Number(button.dataset.ply) === ply;
      setCurrent(button, isCurrent);
      if (isCurrent) moves.scrollTop = button.offsetTop - moves.offsetTop - moves.clientHeight / 2;
    }
    if (ply === plies.length) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  /** @param {number} number @param {boolean} atEnd whether to show its last position */
  function open(number, atEnd) {
    stop();
    game = data.games[number];
    const texts = game.t ? game.t.split('|') : [];
    const changes = game.c.split(','), routes = game.l.split(',');
    plies = texts.map((text, i) => ({ text, changes: changes[i], route: routes[i] }));
    for (const [side, name, win] of [['white', game.w, '1-0'], ['black', game.b, '0-1']]) {
      const player = find(`.seat.${side} b`);
      player.textContent = name;
      player.classList.toggle('won', game.r === win);
    }
    slider.max = String(plies.length);
    moves.replaceChildren(...plies.flatMap(({ text }, i) => {
      const label = Object.assign(document.createElement('span'), { textContent: `${i / 2 + 1}.` });
      const button = Object.assign(document.createElement('button'), { textContent: text });
      button.dataset.ply = String(i + 1);
      return i % 2 ? [button] : [label, button];
    }));
    for (const button of listedGames()) setCurrent(button, Number(button.dataset.game) === number);
    show(atEnd ? plies.length : 0);
  }

  function listedGames() {
    return /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.list button'));
  }

  /** Lists only the games of two players, or all of them for null. @param {string[] | null} pair */
  function choosePair(pair) {
    find('.chosen span').textContent = pair ? pair.join(' – ') : '';
    find('.chosen button').hidden = !pair;
    const numbers = [...listedGames()].flatMap((button) => {
      const number = Number(button.dataset.game);
      const { w, b } = data.games[number];
      const isShown = !pair || (pair.includes(w) && pair.includes(b));
      if (button.parentElement) button.parentElement.hidden = !isShown;
      return isShown ? [number] : [];
    });
    if (numbers.length) open(numbers[0], false);
  }

  function scrollToGames() {
    document.getElementById('games')?.scrollIntoView({ behavior: 'smooth' });
  }

  /** @param {number} number */
  function stopAndShow(number) {
    stop();
    show(number);
  }

  function playOrPause() {
    if (timer) return stop();
    if (ply === plies.length) show(0);
    timer = window.setInterval(() => show(ply + 1), STEP_MS);
  }

  /** @type {Record<string, () => void>} */
  const STEPS = {
    first: () => stopAndShow(0),
    back: () => stopAndShow(ply - 1),
    forward: () => stopAndShow(ply + 1),
    last: () => stopAndShow(plies.length),
    play: playOrPause,
  };
  /** @type {Record<string, string>} */
  const KEYS = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last' };

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const { step, ply: number, pair, game: index } = button.dataset;
    if (step) STEPS[step]();
    else if (number) stopAndShow(Number(number));
    else if (pair) {
      choosePair(JSON.parse(pair));
      scrollToGames();
    } else if (index) {
      const atEnd = 'last' in button.dataset;
      open(Number(index), atEnd);
      if (atEnd) scrollToGames();
    } else if (button.parentElement?.className === 'chosen') choosePair(null);
  });
  slider.addEventListener('input', () => stopAndShow(Number(slider.value)));
  document.addEventListener('keydown', (event) => {
    const step = KEYS[event.key];
    if (!step || !root.contains(document.activeElement) || document.activeElement === slider) return;
    event.preventDefault();
    STEPS[step]();
  });
  open(0, true);
})();
