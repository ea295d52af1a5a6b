import type { Token } from '../text/token.js';
import type { Recogniser } from './recogniser.js';
import { scoreOf } from './split-sentence.js';

/** From this score on a sentence is a question by itself. */
const strong = 0.42;

const comma: Token = { kind: 'mark', text: ',', raw: ',' };

/**
 * Sentences that are no question by themselves belong to the next one, or to the one before: "I have $10k. My stop is
 * 58k, entry 60k. How much can I buy?" A short follow-up, "And ETH?", stays.
 */
export function mergeWeak(
  sentences: readonly (readonly Token[])[],
  known: Recogniser,
  nowMs: number,
  text: string,
): Token[][] {
  if (sentences.length < 2) return sentences.map((each) => [...each]);
  const merged: Token[][] = [];
  let waiting: Token[] = [];
  for (const sentence of sentences) {
    const { score, hasOwn } = scoreOf(sentence, known, nowMs, text);
    if (score >= strong || (!hasOwn && merged.length > 0)) {
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
