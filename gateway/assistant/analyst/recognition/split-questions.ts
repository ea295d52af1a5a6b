import type { Token } from '../text/token.js';

/** The most questions of one message. */
export const mostQuestions = 5;
/** The most parts that are looked at. */
const mostParts = 12;

const ends = new Set(['?', '!', ';', '\n', '.']);

/** The sentences of a message. More than can be answered are left out. */
export function sentencesOf(tokens: readonly Token[]): Token[][] {
  const parts = splitWhere(tokens, ({ kind, text }) => kind === 'mark' && ends.has(text));
  return parts.slice(0, mostParts);
}

const joints = new Set(['and', 'also', 'plus', 'then', 'but']);

/** The places in a sentence where a second question may begin: behind "and", "also", or a comma. */
export function jointsOf(tokens: readonly Token[]): number[] {
  const places = tokens.flatMap(({ kind, text }, at) =>
    (kind === 'word' && joints.has(text)) || (kind === 'mark' && text === ',') ? [at] : [],
  );
  return places.filter((at) => at > 0 && at < tokens.length - 1).slice(0, 8);
}

function splitWhere(tokens: readonly Token[], isEnd: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isEnd(token)) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.filter((part) => part.some(({ kind }) => kind !== 'mark'));
}
