import { listingNamed } from '../../../mcp/catalogue.js';
import { intentNamed } from '../intents.js';
import type { Token } from '../text/token.js';
import type { MessageParts } from './message-parts.js';
import { usedSlots } from './slot-fit.js';

/** From this score on a sentence is a question by itself. */
const strong = 0.42;

/** Between sentences that are read as one: no comma of a list. */
const comma: Token = { kind: 'mark', text: ',', raw: '.' };

/** A pasted object belongs to the question beside it. */
const isObject = (sentence: readonly Token[]): boolean => sentence.every(({ kind }) => kind === 'object');

/** "MACD of XRP. Rising or falling?": a faint question about the whole market behind one about an asset belongs to it. */
function isOfMarket(sentence: readonly Token[], last: readonly Token[], parts: MessageParts): boolean {
  const { score, intent } = parts.score(sentence);
  const { tool, topic } = intentNamed(intent ?? '') ?? {};
  if (score >= clear || topic === undefined || parts.score(last).asset === undefined) return false;
  return listingNamed(tool ?? '')?.scope === 'public' && !usedSlots(intentNamed(intent!)!).has('asset');
}
/** From this score on it is a question of its own. */
const clear = 0.55;

/**
 * Sentences that are no question by themselves belong to the next one, or to the one before: "I have $10k. My stop is
 * 58k, entry 60k. How much can I buy?" A short follow-up, "And ETH?", stays.
 */
export function mergeWeak(sentences: readonly (readonly Token[])[], parts: MessageParts): Token[][] {
  if (sentences.length < 2) return sentences.map((each) => [...each]);
  const merged: Token[][] = [];
  let waiting: Token[] = [];
  for (const sentence of sentences) {
    const { score, hasOwn } = parts.score(sentence);
    const last = merged.at(-1);
    const isOfList = sentence[0]?.text === 'which' && sentence[1]?.text === 'one';
    if (last !== undefined && (isObject(last) || isObject(sentence) || isOfList))
      merged[merged.length - 1] = [...last, comma, ...sentence];
    else if (last !== undefined && waiting.length === 0 && isOfMarket(sentence, last, parts))
      merged[merged.length - 1] = [...last, comma, ...sentence];
    else if (hasOwn ? score >= strong : merged.length > 0) {
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
