import { fillTemplate } from '../answer-template.js';
import type { Slots } from '../slots.js';
import type { Token } from '../text/token.js';
import { wordSet } from '../word-list.js';

/** Words that begin a question for yes or no. */
const begins = wordSet('yes-or-no', 'begins');
/** Words that turn such a question round, or make it one of which. */
const turns = wordSet('yes-or-no', 'turns');
const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '>': (one, other) => one > other,
  '<': (one, other) => one < other,
};

/**
 * "Yes" or "No" with a reason, for "is LTC above its 200 day SMA". A condition is `left = right`, `left > right` or `left < right`,
 * each side a template (answer-template.ts); what stands behind the colon is its reason. Where a side has no value nothing is said.
 */
export function yesOrNoOf(
  conditions: Readonly<Record<string, string>>,
  tokens: readonly Token[],
  payload: object,
  slots: Slots,
): string[] {
  const words = tokens.map(({ text }) => text);
  const first = words.findIndex((word) => begins.has(word));
  const isBegun = first === 0 || /^\W$/.test(words[first - 1] ?? '') || talk.has(words[first - 1] ?? '');
  if (first === -1 || !isBegun || words.some((word) => turns.has(word))) return [];
  const [, condition] = Object.entries(conditions).find(([asked]) =>
    asked.split(' | ').some((each) => each === '*' || ` ${words.join(' ')} `.includes(` ${each} `)),
  ) ?? ['', ''];
  const [, left, sign, right, reason] = /^(.*?) ([=<>]) (.*?)(?:: (.*))?$/.exec(condition) ?? [];
  if (left === undefined) return [];
  const [one, other] = [left, right].map((side) => fillTemplate(side, payload, slots));
  if (one === null || other === null) return [];
  const holds = comparisons[sign]?.(numberIn(one), numberIn(other)) ?? one === other;
  const why = reason === undefined ? null : fillTemplate(reason, payload, slots);
  return [`${holds ? 'Yes' : 'No'}${why === null ? '' : `: ${why}`}`];
}
const numberIn = (text: string): number => Number(text.replaceAll(',', ''));
const talk = wordSet('yes-or-no', 'talk');
