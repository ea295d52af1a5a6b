import type { Token } from '../text/token.js';
import type { Question } from '../slots/question.js';
import type { MessageParts, PartScore } from './message-parts.js';
import { jointsOf, mostQuestions } from './split-questions.js';

/** A part of a sentence is a question of its own from this score on. */
const clear = 0.4;
const clearDecline = 0.6;

/** The questions of a sentence: it is split where both sides are recognised at least as well as the whole. */
export function splitSentence(tokens: readonly Token[], parts: MessageParts, depth = 0): Token[][] {
  const joints = jointsOf(tokens);
  if (depth >= mostQuestions || joints.length === 0) return [[...tokens]];
  const whole = parts.score(tokens);
  let best: { at: number; score: number } | null = null;
  const sentence = parts.read(tokens);
  for (const at of joints) {
    if (!isJoint(sentence, at)) continue;
    const left = parts.score(tokens.slice(0, at));
    if (isFaint(left) || !left.hasOwn || left.score < clear) continue;
    const right = parts.score(tokens.slice(at + 1));
    if (isFaint(right) || !right.hasOwn || right.score < clear) continue;
    // "Supertrend or RSI reversal" names strategies; apart from the rest it names indicators.
    if (left.strategies + right.strategies < whole.strategies) continue;
    if (
      left.intent === right.intent &&
      (left.asset === right.asset || left.asset === undefined || right.asset === undefined)
    )
      continue;
    const isApart = left.asset !== undefined && right.asset !== undefined && left.asset !== right.asset;
    if (!isApart && (isPartOf(left, whole) || isPartOf(right, whole))) continue;
    if (left.listed.some((slot) => right.listed.includes(slot))) continue;
    const score = (left.score + right.score) / 2;
    if (score > whole.score * 0.98 && score > (best?.score ?? 0)) best = { at, score };
  }
  if (best === null) return [[...tokens]];
  return [
    ...splitSentence(tokens.slice(0, best.at), parts, depth + 1),
    ...splitSentence(tokens.slice(best.at + 1), parts, depth + 1),
  ];
}

/** Whether a part is recognised no better than the whole: the rest belongs to it. */
const isPartOf = (part: PartScore, whole: PartScore): boolean =>
  part.intent === whole.intent && whole.score >= part.score * 0.95;

/** A part that would be declined has to be clearer: "buying 10 SOL" may belong to "how would ... change my risk". */
const isFaint = ({ isDeclined, score }: PartScore): boolean => isDeclined && score < clearDecline;

const prepositions = new Set(
  'at in for with of on to from over by under below above per between than'.split(' '),
);
const conditionals = new Set(['if', 'when', 'suppose', 'assuming', 'say']);

/** Whether a second question may begin behind a joint: not between two assets, nor behind the comma of "if ..., what ...". */
function isJoint(sentence: Question, at: number): boolean {
  const [before, after] = [sentence.slotAt(at - 1), sentence.slotAt(at + 1)];
  if (before !== undefined && before === after) return false;
  if (sentence.isMark(at, ',') && conditionals.has(sentence.word(0))) return false;
  return sentence.tokens[at + 1].kind === 'word' && !prepositions.has(sentence.word(at + 1));
}
