import { listedWords, wordSet } from '../word-list.js';
import type { Token } from '../text/token.js';
import type { MessageParts } from './message-parts.js';

/** What says that the value behind it is not the one that is meant: "not", "instead of". */
const deniers: readonly string[][] = listedWords('without-denied', 'deniers').map((each) => each.split(' '));
/** What may stand before such a value: "give me the". */
const between = wordSet('without-denied', 'between');

const joints = new Set(['and', 'or', ',']);

/** The tokens without the values that are denied beside one that is meant: "not BTC, ETH", "by return instead of Sharpe". */
export function withoutDenied(tokens: readonly Token[], parts: MessageParts): readonly Token[] {
  const question = parts.read(tokens);
  const denied = new Set<number>();
  tokens.forEach((_, from) => {
    const denier = deniers.find((words) => words.every((word, n) => tokens[from + n]?.text === word));
    if (denier === undefined) return;
    let at = from + denier.length;
    while (between.has(tokens[at]?.text)) at++;
    const slot = question.slotAt(at) ?? question.choiceTerms.get(question.termsAt(at)[0]);
    if (slot === undefined) return;
    let end = at + 1;
    while (
      question.slotAt(end) === slot ||
      (joints.has(tokens[end]?.text) && question.slotAt(end + 1) === slot)
    )
      end++;
    const isMeant = tokens.some(
      (__, place) => (place < from || place >= end) && question.slotAt(place) === slot,
    );
    if (!isMeant && denier.length === 1) return;
    for (let place = from; place < end; place++) denied.add(place);
  });
  return denied.size === 0 ? tokens : tokens.filter((_, at) => !denied.has(at));
}
