import { wordSet } from '../word-list.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import type { DeclinedKind, Intent } from '../intent.js';
import type { Question } from '../slots/question.js';
import type { SlotName } from '../slots.js';
import type { Token } from '../text/token.js';
import type { MessageParts, PartScore } from './message-parts.js';
import { usedSlots } from './slot-fit.js';
import { ruleTools } from './test-cue.js';
import { asCarried, askers, inPlaceOfIt, isPointing, refiners } from './without-talk.js';

/** The most questions of one message. */
const mostQuestions = 5;
/** The most pieces that are looked at, and the most of one question. */
const mostPieces = 20;
const mostJoined = 8;
/** From this score on a stretch may be a question by itself, and is one beside any other; what would be declined has to be clearer. */
const faint = 0.3;
const clear = 0.36;
const clearDecline = 0.6;
const clearDeed = 0.42;
/** The score that a short follow-up behind a question counts as; and what one about something that is not here is worth. */
const ofFollowUp = 0.4;
const ofSubject = 1;
/** What a cut costs that no end of a sentence marks. */
const costOfJoint = 0.2;
/** A term with fewer words around it is listed, not asked about; one that is asked about counts for more than its word. */
const leastOfTerm = 3;
const ofTerm = 2;

const ends = new Set(['?', '!', ';', '\n', '.']);
const joints = wordSet('cut-message', 'joints');
const openers = wordSet('cut-message', 'openers');
const deeds = wordSet('cut-message', 'deeds');

/** A stretch between two places where a question may begin or end, without the joints around it. */
interface Piece {
  from: number;
  to: number;
  /** What a cut before it costs. */
  cost: number;
}

/** Pieces that are read as one: as a question, or as what is none. */
interface Segment {
  from: number;
  to: number;
  /** What the cut before it costs. */
  cost: number;
  score: PartScore;
  isQuestion: boolean;
  /** Whether it is about something that is not here. */
  isSubject: boolean;
  /** Whether it only changes the question before it. */
  isFollowUp: boolean;
  /** How much of its words the best intent explains: the squared share times their number, which adds up over a message. */
  worth: number;
}

interface Chain extends Segment {
  before: Chain | undefined;
  total: number;
}

/** The segments of a message that explain the most of it together. `isFine`: cut before question words, too. */
function segmentsOf(tokens: readonly Token[], parts: MessageParts, isFine: boolean): Segment[] {
  const whole = parts.read(tokens);
  const pieces = piecesOf(whole, isFine);
  const endingAt: Chain[][] = [[], ...pieces.map(() => [])];
  for (let end = 1; end <= pieces.length; end++)
    // A message that has been read so often is cut at each place, or not at all.
    for (let start = end - 1; start >= Math.max(0, end - (parts.isSpent ? 1 : mostJoined)); start--) {
      const segment = segmentAt(whole, pieces[start], pieces[end - 1], parts);
      const [before] = endingAt[start]
        .filter((each) => mayFollow(each, segment, whole, parts, isFine))
        .sort((one, other) => other.total - one.total);
      if (start > 0 && before === undefined) continue;
      const total = segment.worth + (start === 0 ? 0 : before.total - pieces[start].cost);
      endingAt[end].push({ ...segment, before, total });
    }
  const chain: Chain[] = [];
  const [best] = endingAt[pieces.length].sort((one, other) => other.total - one.total);
  for (let each: Chain | undefined = best; each; each = each.before) chain.unshift(each);
  return chain;
}

function segmentAt(whole: Question, first: Piece, last: Piece, parts: MessageParts): Segment {
  const [{ from, cost }, { to }] = [first, last];
  const tokens = whole.tokens.slice(from, to);
  const isWhole = from === 0 && to >= whole.tokens.length - 1;
  const question = parts.read(tokens);
  const score = parts.score(tokens, whole.slots.asset);
  const length = question.terms().length + (question.slots.term === undefined ? 0 : ofTerm);
  const behind = whole.tokens.slice(to).find(({ text }) => !joints.has(text));
  const isBeforeAsked = joints.has(whole.tokens[to]?.text) && askers.has(behind?.text ?? '');
  const isSpoken = deeds.has(question.word(0)) || score.intent?.declines === 'prediction';
  const leastDecline = isBeforeAsked ? clear : isSpoken ? clearDeed : clearDecline;
  const least = score.intent?.declines === undefined ? faint : leastDecline;
  const isTerm = score.intent?.name === 'definition' && tokens.length < leastOfTerm;
  const isClear = score.hasOwn && score.score >= least && !isTerm;
  const isSubject = question.heard.some(({ kind }) => kind === 'subject');
  const isFollowUp = !score.hasOwn && from > 0 && cost === 0;
  const isQuestion = isClear || isSubject || isFollowUp;
  const worth = Math.max(
    isClear || isWhole ? score.score ** 2 * length : 0,
    isFollowUp ? ofFollowUp ** 2 * length : 0,
    isSubject ? ofSubject : 0,
  );
  return { from, to, cost, score, isQuestion, isSubject, isFollowUp, worth };
}

/** What belongs to one question is not cut: the same of the same asset, a list, a part that explains less than both do. */
function mayFollow(
  segment: Segment,
  next: Segment,
  whole: Question,
  parts: MessageParts,
  isFine: boolean,
): boolean {
  const { score, isQuestion, isSubject } = segment;
  const isFollowUp = next.isFollowUp || segment.isFollowUp;
  if (!isQuestion || !next.isQuestion) return isQuestion !== next.isQuestion && (isFine || next.cost === 0);
  if (isSubject || next.isSubject) return isSubject !== next.isSubject;
  const { asset } = next.score;
  const isSame = score.intent === next.score.intent;
  if (isSame && (score.asset === asset || score.asset === undefined || asset === undefined)) return false;
  if (score.listed.some((slot) => next.score.listed.includes(slot))) return false;
  if (parts.isSpent) return next.cost === 0;
  const [one, two, both] = [segment, next, { from: segment.from, to: next.to }].map(({ from, to }) =>
    whole.tokens.slice(from, to),
  );
  // "Supertrend or RSI reversal" names strategies; apart from the rest it names indicators.
  const strategies = [one, two, both].map((each) => parts.read(each).slots.strategies?.length ?? 0);
  if (strategies[0] + strategies[1] < strategies[2]) return false;
  // "Cancel my orders, and what is my balance": a deed beside a question.
  if (score.intent?.declines !== undefined && deeds.has(whole.word(segment.from))) return true;
  const [less, more] = [score.score, next.score.score].sort((a, b) => a - b);
  const { intent } = next.score;
  const isAsked = askers.has(whole.word(next.from));
  // "MACD of XRP. Rising or falling?": a faint sentence about the whole market behind one about an asset belongs to it.
  if (next.cost === 0) {
    const isOfMarket = score.asset !== undefined && intent && isOfAll(intent);
    const areClear = [segment, next].every(
      (each) => each.score.score >= (askers.has(whole.word(each.from)) ? clear : strong),
    );
    return isFollowUp || (areClear && !(isOfMarket && next.score.score < sureOfMarket));
  }
  const isWord = whole.word(next.from - 1) !== '';
  if (less < clear && !(isWord && more >= certain)) return false;
  // "Backtest X on Y, risk 2 % per trade": what lacks a part of its own question belongs to the one before it.
  if (!isWord && next.score.isLacking) return false;
  const together = parts.score(both, whole.slots.asset);
  const mean = (less + more) / 2;
  const isHeld = [score.intent, intent].includes(together.intent);
  const isSure =
    (isWord || isAsked) &&
    (less >= (isAsked && !isHeld ? sureAsked : sure) || mean > together.score * muchBetter);
  const isApart = score.asset !== undefined && asset !== undefined && score.asset !== asset;
  const isPart = [score, next.score].some(
    (each) => each.intent === together.intent && together.score >= each.score * nearly,
  );
  return isSure || ((isApart || !isPart) && mean > together.score);
}
/** Two parts that a joint parts are two questions from this score on; the second one sooner if it begins as questions do. */
const sure = 0.52;
const sureAsked = 0.42;
/** Two sentences from this one on, and one about the whole market; and the score of a part beside which the other one may be faint. */
const strong = 0.42;
const sureOfMarket = 0.55;
const certain = 0.65;
/** Two parts that score this many times what they do together are two questions; a part that scores as much as nearly all belongs to it. */
const muchBetter = 1.35;
const nearly = 0.95;

/** Whether it is about the whole market. */
const isOfAll = (intent: Intent): boolean =>
  intent.topic !== undefined && isPublic(intent) && !usedSlots(intent).has('asset');

const isPublic = ({ tool }: Intent): boolean => listingNamed(tool ?? '')?.scope === 'public';

function piecesOf(whole: Question, isFine: boolean): Piece[] {
  const { tokens } = whole;
  const pieces: Piece[] = [];
  let [from, cost] = [0, 0];
  const close = (to: number, costBehind: number) => {
    const isEmpty = tokens.slice(from, to).every(({ kind }) => kind === 'mark');
    if (!isEmpty) pieces.push({ from, to, cost });
    cost = isEmpty ? Math.min(cost, costBehind) : costBehind;
  };
  for (const [at, { kind, text }] of tokens.entries()) {
    const isEnd = kind === 'mark' && ends.has(text);
    const isInList = [at - 1, at + 1].every((place) => whole.slotAt(place) === 'asset');
    const isOpener =
      isFine && at > from && openers.has(text) && !openers.has(whole.word(at - 1)) && !isInList;
    if (!(isEnd || (joints.has(text) && isJoint(whole, at)) || isOpener) || pieces.length >= mostPieces)
      continue;
    close(at, isEnd ? 0 : costOfJoint);
    from = isOpener ? at : at + 1;
  }
  close(tokens.length, 0);
  return pieces;
}

const prepositions = wordSet('cut-message', 'prepositions');
const conditionals = wordSet('cut-message', 'conditionals');
const narrowing = wordSet('cut-message', 'narrowing');
const verbs = wordSet('cut-message', 'verbs');
/** "..., longest first" */
const superlative = /(?:est|most|best|worst)$/;
const longestPair = 5;

/** Whether a second question may begin behind a joint: not between two assets, nor behind the comma of "if ..., what ...". */
function isJoint(sentence: Question, at: number): boolean {
  if (sentence.isMark(at, ':')) return deeds.has(sentence.word(sentence.clauseAround(at).from));
  const [before, after] = [sentence.slotAt(at - 1), sentence.slotAt(at + 1)];
  if (before !== undefined && before === after) return false;
  // "Profit and loss" is one term.
  if (isWithinPair(sentence, at) || sentence.termsAt(at).length > 2) return false;
  const start = sentence.tokens.findLastIndex(({ text }, place) => place < at && ends.has(text)) + 1;
  if (sentence.isMark(at, ',') && conditionals.has(sentence.word(start))) return false;
  if (['first', 'last'].includes(sentence.word(at + 2)) && superlative.test(sentence.word(at + 1)))
    return false;
  // "And exit after 5 days", "but skip the bearish ones" narrow what is asked; "that are also in accumulate" does as well.
  if (narrowing.has(sentence.word(at + 1)) || verbs.has(sentence.word(at - 1))) return false;
  return sentence.word(at + 1) !== '' && !prepositions.has(sentence.word(at + 1));
}

/** "Between price and momentum": the "and" of a pair. */
function isWithinPair(sentence: Question, at: number): boolean {
  if (sentence.word(at) !== 'and') return false;
  for (let place = at - 1; place >= Math.max(0, at - longestPair); place--) {
    if (sentence.word(place) === 'between' || sentence.word(place) === 'both') return true;
    if (sentence.word(place) === 'and' || sentence.tokens[place].kind === 'mark') return false;
  }
  return false;
}

/** The parts of a message that may be questions; what is none belongs to the one before it, or behind it. */
export function partsAsked(tokens: readonly Token[], parts: MessageParts): (readonly Token[])[] {
  const segments = segmentsOf(tokens, parts, false);
  const first = segments.findIndex(({ isQuestion }) => isQuestion);
  if (first === -1) return [withoutEnd(tokens)];
  const starts = segments.slice(first).filter(({ isQuestion }) => isQuestion);
  return starts
    .map(({ from }, n) => tokens.slice(n === 0 ? 0 : from, starts[n + 1]?.from ?? tokens.length))
    .map((part, n) => withoutEnd(part, n + 1 < starts.length))
    .slice(0, mostQuestions);
}

/** The tokens without the marks at their end, and the joint to the next part. */
function withoutEnd(tokens: readonly Token[], isBeforeNext = false): readonly Token[] {
  const last = tokens.findLastIndex(
    ({ kind, text }) => kind !== 'mark' && !(isBeforeNext && joints.has(text)),
  );
  return last === -1 ? tokens : tokens.slice(0, last + 1);
}

/** What is said to be no subject here, wherever it stands. */
const refused = new Set<DeclinedKind>(['action', 'prediction']);
/** What questions begin with that are no part of a statement before them. */
const asking = wordSet('cut-message', 'asking');

/** What says how a rule is tested, wherever it stands. */
const ofRules = new Set(['strategy', 'params', 'period', 'leverage']);

/**
 * The clear questions in a part that is none as a whole, or is about something that is not here, or declined: with the asset, the
 * interval and the like that only the rest names.
 */
export function clearQuestions(
  tokens: readonly Token[],
  parts: MessageParts,
  isDeclined: boolean,
): { clear: (readonly Token[])[]; rest: readonly Token[] } {
  const whole = parts.read(tokens);
  const clauses = piecesOf(whole, false);
  // "Why" and "did BTC fall" are one; "which ..." is another question.
  const isBesideSubject = (start: number, end: number) =>
    clauses.some(
      ({ from, to }) =>
        from < end &&
        start < to &&
        tokens.some(
          (_, at) =>
            whole.slotAt(at) === 'subject' &&
            at >= (asking.has(tokens[start].text) ? start : from) &&
            at < to,
        ),
    );
  const found = segmentsOf(tokens, parts, true).flatMap(({ from, to, isQuestion, score }) => {
    const { intent } = score;
    if (intent === undefined || !isQuestion || isBesideSubject(from, to)) return [];
    if (!score.hasOwn || score.score < clear || refiners.has(tokens[from].text)) return [];
    const isOfAccount = intent.tool !== null && !isPublic(intent);
    const isAsked = isDeclined
      ? askers.has(tokens[from].text) && intent.tool !== null
      : intent.tool !== null ||
        intent.name === 'definition' ||
        // "So I know when to get out" asks for nothing.
        (refused.has(intent.declines ?? 'secret') && tokens[from - 1]?.text !== 'to');
    return isAsked && (!isOfAccount || score.score >= certain) ? [{ from, to, intent }] : [];
  });
  const clearOnes = found.map(({ from, to, intent: { needs, tool } }) => {
    const own = tokens.slice(from, to);
    const { slots } = parts.read(own);
    const isOfAsset = 'asset' in needs || 'assets' in needs;
    const pointsBack = slots.date === undefined && own.some((_, at) => isPointing(own, at));
    const carried = tokens.flatMap((_, at) => {
      const slot = whole.slotAt(at);
      const isOwn =
        slot === 'interval' ||
        (slot === 'asset' && isOfAsset) ||
        (ruleTools.has(tool ?? '') && ofRules.has(slot ?? ''));
      const isLacking = isOwn && slots[slot as SlotName] === undefined;
      return isLacking || (pointsBack && slot === 'date') ? [asCarried(whole, at)] : [];
    });
    return inPlaceOfIt([...carried, ...own]);
  });
  const rest = tokens.filter((_, at) => !found.some(({ from, to }) => at >= from && at < to));
  return { clear: clearOnes, rest: withoutEnd(rest, true) };
}
