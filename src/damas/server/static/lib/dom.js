/** Making elements in one line, without markup in strings: text stays text. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * `h('button.button', {type: 'button', onclick, dataset: {testid: 'flip'}}, icon('flip'), 'Virar')`.
 * Properties that begin with `on` are listeners; `dataset` and `style` are objects; null and false leave an attribute out.
 * @param {string} name tag with classes
 * @param {Record<string, any> | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length) element.className = classes.join(' ');
  give(element, properties ?? {});
  element.append(...real(children));
  return element;
}

/** @typedef {Node | string | number | null | undefined | false} Child */

/** Children that are there. @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function real(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Puts new children in the place of all the old ones; null and false are nobody. Whoever stood on one of them with the
 * keyboard stands on the one of the same name afterwards, or beside it where it is gone, and is not thrown to the page's top.
 * @param {Element} element @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  const lost = held && held !== element && element.contains(held);
  element.replaceChildren(...real(children));
  if (lost) stand(element, held.dataset.testid ?? '');
}

/** @param {Element} element @param {string} name */
function stand(element, name) {
  /** @type {HTMLElement | null} */
  const same = name ? element.querySelector(`[data-testid="${CSS.escape(name)}"]:not([disabled])`) : null;
  const place = /** @type {HTMLElement} */ (same ?? (element.childElementCount ? element : element.parentElement));
  if (!same && !place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/**
 * Says which buttons of a row can be pressed. Whoever stood on one that closes goes on to the nearest that is open.
 * @param {[HTMLButtonElement, boolean][]} row
 */
export function allow(row) {
  const held = row.findIndex(([button]) => button === document.activeElement);
  for (const [button, open] of row) button.disabled = !open;
  if (held < 0 || row[held][1]) return;
  const open = row.map((_, place) => place).filter((place) => row[place][1]).sort((a, b) => Math.abs(a - held) - Math.abs(b - held));
  if (open.length) row[open[0]][0].focus({ preventScroll: true });
}

/** @param {Element & {dataset?: DOMStringMap, style?: CSSStyleDeclaration}} element @param {Record<string, any>} properties */
function give(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'dataset') Object.assign(/** @type {any} */ (element).dataset, value);
    else if (key === 'style') for (const [name, set] of Object.entries(value)) /** @type {any} */ (element).style.setProperty(name, set);
    else if (key.startsWith('on') && typeof value === 'function') element.addEventListener(key.slice(2).toLowerCase(), value);
    else if (value === null || value === undefined || value === false) continue;
    else if (key === 'class') element.classList.add(...String(value).split(' ').filter(Boolean));
    else if (key in element && !key.startsWith('aria') && key !== 'list' && key !== 'role' && key !== 'form') /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
}

/** An SVG element. @param {string} tag @param {Record<string, any>} [attributes] @param {...Node} children @returns {any} */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** An icon of the sprite; decoration, so hidden from those who listen. @param {string} name */
export function icon(name) {
  return s('svg', { class: 'icon', 'aria-hidden': 'true', focusable: 'false' }, s('use', { href: `/static/icons/icons.svg#${name}` }));
}

/** The one element of a selector; a page without it is a mistake of ours. @param {string} selector @param {ParentNode} [root] @returns {any} */
export function $(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`no element ${selector}`);
  return found;
}

/** @param {string} selector @param {ParentNode} [root] @returns {any[]} */
export function $$(selector, root = document) {
  return [...root.querySelectorAll(selector)];
}

/** By its data-testid, which is also how scripts find their elements. @param {string} id @param {ParentNode} [root] */
export function byId(id, root = document) {
  return $(`[data-testid="${id}"]`, root);
}

/** Shows a short line for six seconds at most; nothing that matters is said only here. @param {string} text @param {number} [ms] */
export function toast(text, ms = 4000) {
  let place = document.querySelector('.toasts');
  if (!place) {
    place = h('div.toasts', { role: 'status' });
    document.body.append(/** @type {Node} */ (place));
  }
  const line = h('div.toast', null, text);
  place?.append(line);
  setTimeout(() => line.remove(), Math.min(ms, 6000));
}

/** Whether the visitor is writing: then a letter is a letter and not a command. @param {Event} event */
export function isWriting(event) {
  const target = /** @type {HTMLElement|null} */ (event.target);
  if (!target) return false;
  if (target.isContentEditable || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT') return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type);
}
