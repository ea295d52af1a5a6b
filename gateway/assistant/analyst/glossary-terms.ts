import { glossary } from '../../mcp/guides/glossary.js';

/** The terms of the glossary in small letters, each with its explanation. */
export const glossaryTerms: Readonly<Record<string, string>> = Object.fromEntries(
  glossary.split('\n').flatMap((line): [string, string][] => {
    const [, terms, explanation] = /^- \*\*(.+?)\*\*: (.+)$/.exec(line) ?? [];
    if (terms === undefined) return [];
    return terms.split(', ').map((term) => [term.toLowerCase(), explanation]);
  }),
);
