/** Creating, finding and updating elements. Text is always inserted as text, never as markup. */

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Partial<GlobalEventHandlers> & {testid?: string, dataset?: Record<string, string | number>,
 *   style?: Record<string, string>, [attribute: string]: unknown}} Properties `testid` is `dataset.testid`
 */

/**
 * The element type of a tag name with classes, such as `button.button-quiet`.
 * @template {string} Name
 * @typedef {Name extends `${infer Tag}.${string}` ? ElementOfTag<Tag> : ElementOfTag<Name>} ElementOf
 */

/**
 * @template {string} Tag
 * @typedef {Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement} ElementOfTag
 */

/**
 * Creates an element: `h('button.button-quiet', {testid: 'flip', onclick}, icon('flip'), 'Flip')`. Functions
 * are listeners; null, undefined and false leave an attribute out; the type of a button is `button`.
 * @template {string} Name
 * @param {Name} name tag and classes @param {...(Properties | Child | Child[])} contents properties first
 * @returns {ElementOf<Name>}
 */
export function h(name, ...contents) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length) element.className = classes.join(' ');
  if (element instanceof HTMLButtonElement) element.type = 'button';
  const hasProperties = typeof contents[0] === 'object' && contents[0] !== null
    && !(contents[0] instanceof Node) && !Array.isArray(contents[0]);
  if (hasProperties) setProperties(element, /** @type {Properties} */ (contents.shift()));
  element.append(...toNodes(/** @type {(Child | Child[])[]} */ (contents)));
  return /** @type {ElementOf<Name>} */ (element);
}

/** Leaves out null, undefined and false. @param {(Child | Child[])[]} children */
function toNodes(children) {
  return children.flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** @param {HTMLElement} element @param {Properties} properties */
function setProperties(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'dataset') Object.assign(element.dataset, value);
    else if (key === 'testid') element.dataset.testid = String(value);
    else if (key === 'style') {
      for (const [name, setting] of Object.entries(value)) element.style.setProperty(name, setting);
    } else if (typeof value === 'function') {
      element.addEventListener(key.slice(2).toLowerCase(), /** @type {EventListener} */ (value));
    } else if (key === 'class') element.classList.add(...String(value).split(' ').filter(Boolean));
    else if (isProperty(element, key)) Object.assign(element, { [key]: value });
    else element.setAttribute(key, value === true ? '' : String(value));
  }
}

/** Whether to set a property instead of an attribute. @param {HTMLElement} element @param {string} key */
function isProperty(element, key) {
  return key in element && !key.startsWith('aria') && !['list', 'role', 'form'].includes(key);
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...(Node | string)} children @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** A decorative icon of the sprite, hidden from screen readers. @param {string} name */
export function icon(name) {
  const use = s('use', { href: `/static/icons/icons.svg#${name}` });
  return s('svg', { class: 'icon', 'aria-hidden': 'true', focusable: 'false' }, use);
}

/**
 * A button with an icon and a label.
 * @param {string} testid @param {string} iconName @param {Child} label @param {() => unknown} onclick
 * @param {string} [classes]
 */
export function iconButton(testid, iconName, label, onclick, classes = 'button-quiet') {
  return h(`button.${classes}`, { testid, onclick }, icon(iconName), h('span', label));
}

/**
 * Radio buttons side by side.
 * @template {string} Value
 * @param {string} name @param {string} label of the group @param {[Value, string][]} choices and their labels
 * @param {Value} chosen @param {(value: Value) => void} onChoose
 */
export function segmented(name, label, choices, chosen, onChoose) {
  return h('div.segmented', { role: 'radiogroup', 'aria-label': label }, choices.map(([value, words]) =>
    h('label', h('input', {
      type: 'radio', name, value, checked: value === chosen, testid: `${name}-${value}`,
      onchange: () => onChoose(value),
    }), words)));
}

/** An error that screen readers announce. @param {string} message @param {'p' | 'li' | 'span'} [tag] */
export function errorNotice(message, tag = 'p') {
  return h(`${tag}.notice.notice-bad`, { role: 'alert' }, message);
}

/**
 * Replaces all children. Keyboard focus inside is kept: it moves to the new element with the same test id, or
 * to the container when there is none, and does not fall back to the top of the page.
 * @param {Element} element @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const losesFocus = focused instanceof HTMLElement && focused !== element && element.contains(focused);
  element.replaceChildren(...toNodes(children));
  if (losesFocus) restoreFocus(element, focused.dataset.testid ?? '');
}

/**
 * Does the same as `fill`, but children that stay are not taken out in between: an open menu, a button that
 * is being pressed and the focus in them survive.
 * @param {Element} element @param {...(Child | Child[])} children
 */
export function refill(element, ...children) {
  const focused = document.activeElement;
  const isInside = focused instanceof HTMLElement && focused !== element && element.contains(focused);
  const nodes = toNodes(children).map((child) => (child instanceof Node ? child : new Text(child)));
  const gone = [...element.childNodes].filter((old) => !nodes.includes(old));
  for (const old of gone) old.remove();
  let next = element.firstChild;
  for (const node of nodes) {
    if (node === next) next = next.nextSibling;
    else element.insertBefore(node, next);
  }
  if (isInside && document.activeElement !== focused) restoreFocus(element, focused.dataset.testid ?? '');
}

/**
 * Elements that are drawn again and again: whatever shows the same as before stays the same element, to be
 * shown by `refill`.
 * @returns {(shown: [facts: unknown, make: () => HTMLElement][]) => HTMLElement[]} `facts` is all that `make`
 *   shows and does
 */
export function keptElements() {
  /** @type {Map<string, HTMLElement>} */
  let before = new Map();
  return (shown) => {
    before = new Map(shown.map(([facts, make]) => {
      const key = JSON.stringify(facts);
      return [key, before.get(key) ?? make()];
    }));
    return [...before.values()];
  };
}

/** @param {Element} element @param {string} testid */
function restoreFocus(element, testid) {
  const selector = `[data-testid="${CSS.escape(testid)}"]:not([disabled])`;
  const same = testid ? element.querySelector(selector) : null;
  const target = same ?? (element.childElementCount ? element : element.parentElement);
  if (!(target instanceof HTMLElement)) return;
  if (!same && !target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Shows a text, or hides the element if the text is empty. @param {Element} element @param {string} text */
export function showText(element, text) {
  element.textContent = text;
  element.toggleAttribute('hidden', !text);
}

/** Marks one of several elements as current. @param {Iterable<Element>} elements @param {number} index */
export function markCurrent(elements, index) {
  for (const [i, element] of [...elements].entries()) {
    if (i === index) element.setAttribute('aria-current', 'step');
    else element.removeAttribute('aria-current');
  }
}

/**
 * Enables and disables the buttons of a row. Focus on a button that is disabled moves to the nearest enabled
 * one.
 * @param {[button: HTMLButtonElement, enabled: boolean][]} row
 */
export function enableButtons(row) {
  const focused = row.findIndex(([button]) => button === document.activeElement);
  for (const [button, enabled] of row) button.disabled = !enabled;
  if (focused < 0 || row[focused][1]) return;
  const distance = (/** @type {number} */ place) => Math.abs(place - focused);
  const enabled = row.flatMap(([, isEnabled], place) => (isEnabled ? [place] : []))
    .sort((a, b) => distance(a) - distance(b));
  if (enabled.length) row[enabled[0]][0].focus({ preventScroll: true });
}

/**
 * The element that matches a selector, checked to be of a type; throws when there is none.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {new () => T} [type] @param {ParentNode} [root] @returns {T}
 */
export function $(selector, type, root = document) {
  const [element] = $$(selector, type, root);
  if (!element) throw new Error(`no ${(type ?? HTMLElement).name} ${selector}`);
  return element;
}

/**
 * All elements of a type that match a selector.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {new () => T} [type] @param {ParentNode} [root] @returns {T[]}
 */
export function $$(selector, type, root = document) {
  const elements = [...root.querySelectorAll(selector)];
  return /** @type {T[]} */ (elements.filter((element) => element instanceof (type ?? HTMLElement)));
}

/**
 * The element with a `data-testid`.
 * @template {Element} [T=HTMLElement]
 * @param {string} testid @param {new () => T} [type] @param {ParentNode} [root] @returns {T}
 */
export function byId(testid, type, root = document) {
  return $(`[data-testid="${testid}"]`, type, root);
}

/**
 * Shows a passing message, for six seconds at most; inside a modal dialog, if one is open, because the dialog
 * covers the page.
 * @param {string} text @param {number} [ms]
 */
export function toast(text, ms = 4000) {
  const parent = $$('dialog:modal').pop() ?? document.body;
  let container = parent.querySelector(':scope > .toasts');
  if (!container) {
    container = h('div.toasts', { role: 'status' });
    parent.append(container);
  }
  const message = h('div.toast', text);
  container.append(message);
  setTimeout(() => message.remove(), Math.min(ms, 6000));
}

/** Whether the visitor is writing in a field: a letter is no shortcut then. @param {Event} event */
export function isWriting({ target }) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT') return true;
  return target instanceof HTMLInputElement
    && !['checkbox', 'radio', 'range', 'button'].includes(target.type);
}
