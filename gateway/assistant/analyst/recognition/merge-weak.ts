import type { Token } from '../text/token.js';
import type { MessageParts } from './message-parts.js';

/** From this score on a sentence is a question by itself. */
const strong = 0.42;

const comma: Token = { kind: 'mark', text: ',', raw: ',' };

/** A pasted object belongs to the question beside it. */
const isObject = (sentence: readonly Token[]): boolean => sentence.every(({ kind }) => kind === 'object');

/**
 * Sentences that are no question by themselves belong to the next one, or to the one before: "I have $10k. My stop is
 * 58k, entry 60k. How much can I buy?" A short follow-up, "And ETH?", stays.
 */
export function mergeWeak(sentences: readonly (readonly Token[])[], parts: MessageParts): Token[][] {
  if (sentences.length < 2) return sentences.map((each) => [...each]);
  /** Whether the sentence before is recognised as well with this one: "..., stop at 140. How many coins?" */
  const continues = (last: readonly Token[], sentence: readonly Token[]) => {
    const [alone, both] = [last, [...last, comma, ...sentence]].map((each) => parts.score(each));
    return both.hasOwn && both.intent === alone.intent && both.score >= alone.score * 0.95;
  };
  const merged: Token[][] = [];
  let waiting: Token[] = [];
  for (const sentence of sentences) {
    const { score, hasOwn } = parts.score(sentence);
    const last = merged.at(-1);
    if (last !== undefined && (isObject(last) || isObject(sentence)))
      merged[merged.length - 1] = [...last, comma, ...sentence];
    else if (last !== undefined && waiting.length === 0 && !parts.isSpent && continues(last, sentence))
      merged[merged.length - 1] = [...last, comma, ...sentence];
    else if (score >= strong || (!hasOwn && merged.length > 0)) {
      merged.push([...waiting, ...sentence]);
      waiting = [];
    } else waiting = [...waiting, ...sentence, comma];
  }
  if (waiting.length > 0) {
    const last = merged.pop() ?? [];
    merged.push(last.length === 0 ? waiting : [...last, comma, ...waiting]);
  }
  return merged;
}
