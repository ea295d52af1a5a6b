import type { DocsParts } from './docs-pages.js';

/**
 * What the search of the documentation knows, as a module for browsers: of each endpoint and each part of a guide its title,
 * path, summary, place, fields, and text.
 */
export function searchIndex({ guides, subjects }: DocsParts): string {
  const entries = [
    ...guides.flatMap(({ slug, title, summary, sections }) => [
      [title, '', summary, `/docs/${slug}`, '', ''],
      ...sections.map((section) => [
        section.title,
        '',
        title,
        `/docs/${slug}#${section.id}`,
        '',
        [...new Set(wordsOf(section.body.text))].join(' '),
      ]),
    ]),
    ...subjects.flatMap(({ slug, name, endpoints }) =>
      endpoints.map(({ id, method, path, title, summary, fields }) => [
        title,
        `${method} ${path}`,
        summary,
        `/docs/${slug}#${id}`,
        [...new Set(fields)].join(' '),
        name,
      ]),
    ),
  ];
  return `export const entries = ${JSON.stringify(entries)};\n`;
}

/** The words of markup, without those of examples. */
const wordsOf = (markup: string): string[] =>
  markup
    .replace(/<pre[^]*?<\/pre>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .toLowerCase()
    .match(/[a-z][a-z-]{2,}/g) ?? [];
