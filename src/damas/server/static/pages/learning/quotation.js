/** What a lesson quotes beside its board: articles, the sentence of the document itself, other rulebooks. */

import { h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { LessonStep, QuotedArticle } from './messages.js' */

/**
 * The first article with its paraphrase and, where there is one, the sentence of the document; links to the
 * others.
 * @param {QuotedArticle[]} articles
 */
export function articleElements(articles) {
  const link = (/** @type {QuotedArticle} */ { rulebook, id, cite }) =>
    h('a', { href: `/rules/${rulebook}#${id}` }, cite);
  const [first] = articles;
  if (!first) return [];
  const seen = new Set([first.cite]);
  const others = articles.filter(({ cite }) => !seen.has(cite) && seen.add(cite));
  const { original, original_language: lang } = first;
  return [
    original && h('p.quoted-original', { testid: 'original', lang }, t('learn.original', { text: original })),
    h('p', first.text),
    h('p.quoted-links', link(first), ...others.map(link)),
  ].filter((each) => each instanceof HTMLElement);
}

/** Links to the rulebooks a step speaks of, and to the lens that compares them. @param {LessonStep} step */
export function gameLinks({ games, rulebook, view }) {
  const lens = `/lens?${new URLSearchParams({ rulebook, ...(view ? { fen: view.fen } : {}) })}`;
  return [
    h('span', t('learn.games')), ...games.map(({ id, name }) => h('a', { href: `/rules/${id}` }, name)),
    h('a', { href: lens }, t('rules.lens')),
  ];
}
