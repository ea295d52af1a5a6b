import assert from 'node:assert/strict';
import type { Prose } from '../../../gateway/assistant/analyst/intent.js';
import { untracedDays, untracedFigures } from './traced-figures.js';

/** The text of an answer, as it is read. */
export const textOf = ({ lead, figures = [], caveat, next }: Prose): string =>
  [lead, ...figures, ...(caveat === undefined ? [] : [caveat]), ...(next === undefined ? [] : [next])].join(
    ' ',
  );

const longest = 900;

/** What every answer keeps to, whatever the tool has answered. */
export function assertReads(prose: Prose, ...sources: unknown[]): void {
  const text = textOf(prose);
  assert.doesNotMatch(text, /undefined|null|NaN|Infinity|\[object|function/, text);
  assert.doesNotMatch(text, / {2}|\s[.,;:)]|\.\.|;\.|,\.|\(\)|\n/, text);
  assert.doesNotMatch(text, /(?<![\d.,])1 (?!(?:of|in|to|and|on|at)\b)[a-z]+s\b/, text);
  assert.doesNotMatch(text, /\b(should|recommend|you ought|buy now|sell now)\b/i, text);
  assert.ok(text.length <= longest, `${text.length} characters: ${text}`);
  for (const part of [prose.lead, ...(prose.figures ?? []), prose.caveat ?? '.', prose.next ?? '.'])
    assert.match(part, /^[^a-z].*[.]$|^\.$/s, part);
  assert.deepEqual(untracedFigures(text, ...sources), [], text);
  assert.deepEqual(untracedDays(text, ...sources), [], text);
}
