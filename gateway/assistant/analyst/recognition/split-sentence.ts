import { wordSet } from '../word-list.js';
import type { Token } from '../text/token.js';
import type { Question } from '../slots/question.js';
import { intentNamed } from '../intents.js';
import { usedSlots } from './slot-fit.js';
import type { MessageParts, PartScore } from './message-parts.js';
import { jointsOf, mostQuestions } from './split-questions.js';

/** A part of a sentence is a question of its own from this score on. */
const clear = 0.36;
const clearDecline = 0.6;
/** The same beside a part whose score is at least `certain`. */
const faint = 0.3;
const certain = 0.65;
const leastOf = (left: PartScore, right: PartScore): number =>
  Math.max(left.score, right.score) >= certain ? faint : clear;
/** Two parts that score this many times the whole are two questions. */
const muchBetter = 1.35;
/** Two parts with at least this score are two questions, whatever the score of the whole. */
const sure = 0.52;
/** The same if the second part begins with a question word. */
const asked = 0.42;
const questionWords = wordSet('split-sentence', 'questionWords');
/** A question behind a joint has more tokens, the joint counted in. */
const shortest = 2;

const mostListed = 2;
/** "I sold my car" asks for no deed. */
const tellers = new Set(['i', 'we', 'my', 'our', 'he', 'she', 'they']);
const asksBehind = new Set('what whats which how where'.split(' '));

/** The questions of a sentence: it is split where both sides are recognised at least as well as the whole. */
export function splitSentence(tokens: readonly Token[], parts: MessageParts, depth = 0): Token[][] {
  const joints = jointsOf(tokens);
  if (depth >= mostQuestions || joints.length === 0) return [[...tokens]];
  const whole = parts.score(tokens);
  let best: { at: number; score: number } | null = null;
  const sentence = parts.read(tokens);
  for (const at of joints) {
    if (parts.isSpent) break;
    if (!isJoint(sentence, at)) continue;
    const left = parts.score(tokens.slice(0, at), whole.asset);
    // "Close my SOL long, and what does my risk look like": a deed beside a question.
    const isAskedBehind = asksBehind.has(sentence.word(at + 1)) && !tellers.has(sentence.word(0));
    if ((isFaint(left) && !(isAskedBehind && left.score >= clear)) || !left.hasOwn || left.score < faint)
      continue;
    // "Historical and parametric VaR of BTC": a word alone says what is asked of the asset, or nothing.
    if (at === 1 && whole.asset !== undefined && !usedSlots(intentNamed(left.intent!)!).has('asset'))
      continue;
    const right = parts.score(tokens.slice(at + 1), whole.asset);
    const isJoined = tokens[at].kind === 'word';
    const least = isJoined ? leastOf(left, right) : clear;
    if (isFaint(right) || !right.hasOwn || Math.min(left.score, right.score) < least) continue;
    // "Total return, Sharpe and drawdown": a word that is listed is not asked about.
    if (at <= mostListed && left.intent === 'definition') continue;
    if (tokens.length - at - 1 <= mostListed && right.intent === 'definition') continue;
    // "Supertrend or RSI reversal" names strategies; apart from the rest it names indicators.
    if (left.strategies + right.strategies < whole.strategies) continue;
    if (
      left.intent === right.intent &&
      (left.asset === right.asset || left.asset === undefined || right.asset === undefined)
    )
      continue;
    const score = (left.score + right.score) / 2;
    const isApart = left.asset !== undefined && right.asset !== undefined && left.asset !== right.asset;
    const isAsked = tokens.length - at > shortest && questionWords.has(sentence.word(at + 1));
    const isHeld = left.intent === whole.intent || right.intent === whole.intent;
    const isSure =
      (isJoined || isAsked) &&
      left.intent !== right.intent &&
      (Math.min(left.score, right.score) >= (isAsked && !isHeld ? asked : sure) ||
        score > whole.score * muchBetter);
    if (!isApart && !isSure && (isPartOf(left, whole) || isPartOf(right, whole))) continue;
    if (left.listed.some((slot) => right.listed.includes(slot))) continue;
    if ((isSure || score > whole.score * 0.98) && score > (best?.score ?? 0)) best = { at, score };
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

const prepositions = wordSet('split-sentence', 'prepositions');
const conditionals = wordSet('split-sentence', 'conditionals');

/** "Between price and momentum": the "and" of a pair. */
function isWithinPair(sentence: Question, at: number): boolean {
  if (sentence.word(at) !== 'and') return false;
  for (let place = at - 1; place >= Math.max(0, at - longestPair); place--) {
    if (sentence.word(place) === 'between' || sentence.word(place) === 'both') return true;
    if (sentence.word(place) === 'and' || sentence.tokens[place].kind === 'mark') return false;
  }
  return false;
}

/** "Profit and loss" is one term. */
const isWithinTerm = (sentence: Question, at: number): boolean => sentence.termsAt(at).length > 2;

const longestPair = 5;
const narrowing = wordSet('split-sentence', 'narrowing');
/** "..., longest first" */
const superlative = /(?:est|most|best|worst)$/;
const verbs = wordSet('split-sentence', 'verbs');

/** Whether a second question may begin behind a joint: not between two assets, nor behind the comma of "if ..., what ...". */
function isJoint(sentence: Question, at: number): boolean {
  const [before, after] = [sentence.slotAt(at - 1), sentence.slotAt(at + 1)];
  if (before !== undefined && before === after) return false;
  if (isWithinPair(sentence, at) || isWithinTerm(sentence, at)) return false;
  if (sentence.isMark(at, ',') && conditionals.has(sentence.word(0))) return false;
  if (['first', 'last'].includes(sentence.word(at + 2)) && superlative.test(sentence.word(at + 1)))
    return false;
  // "And exit after 5 days", "but skip the bearish ones" narrow what is asked; "that are also in accumulate" does as well.
  if (narrowing.has(sentence.word(at + 1)) || verbs.has(sentence.word(at - 1))) return false;
  return sentence.tokens[at + 1].kind === 'word' && !prepositions.has(sentence.word(at + 1));
}
