import { wordSet } from '../word-list.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import type { Intent } from '../intent.js';
import { intentNamed } from '../intents.js';
import type { Question } from '../slots/question.js';
import type { Token } from '../text/token.js';
import type { MessageParts } from './message-parts.js';
import { usedSlots } from './slot-fit.js';
import type { SlotName } from '../slots.js';
import { ruleTools } from './test-cue.js';
import { asCarried, askers, clauseEnds, inPlaceOfIt, isPointing, refiners } from './without-talk.js';

/** From this score on a stretch is a question by itself. */
const clear = 0.36;
/** The same for one that is declined, or is not about the asset that the rest names. */
const sure = 0.55;
/** The same for one about the account. */
const certain = 0.65;
/** A longer stretch of the same question may score this share of the best. */
const nearly = 0.8;
const mostCuts = 24;
/** The most cuts that one stretch spans, and the most tokens. */
const mostSpanned = 6;
const mostTokens = 40;
/** A term with fewer words around it is listed, not asked about. */
const leastOfTerm = 3;

const joints = wordSet('clear-stretches', 'joints');
/** What a question, or something that is told, begins with. */
const openers = wordSet('clear-stretches', 'openers');

/** What says how a rule is tested, wherever it stands. */
const ofRules = new Set(['strategy', 'params', 'period', 'leverage']);

interface Stretch {
  from: number;
  to: number;
  score: number;
  intent: Intent;
}

/**
 * The questions in a part of a message that is none as a whole, or is about something that is not here: of all stretches from one
 * mark, joint or question word to another the clearest, and those before and behind it that are clear as well. Asset and interval
 * that a stretch does not name it has from the rest. Of what is declined as a whole only questions of their own are taken out.
 */
export function clearStretches(
  tokens: readonly Token[],
  parts: MessageParts,
  isDeclined = false,
): { stretches: Token[][]; rest: readonly Token[] } {
  const whole = parts.read(tokens);
  const stretchesIn = (start: number, end: number): Stretch[] => {
    const best = clearest(tokens, start, end, whole, parts, isDeclined);
    return best === undefined ? [] : [...stretchesIn(start, best.from), best, ...stretchesIn(best.to, end)];
  };
  const found = stretchesIn(0, tokens.length);
  const stretches = found.map(({ from, to, intent: { needs, tool } }) => {
    const stretch = tokens.slice(from, to);
    const { slots } = parts.read(stretch);
    const isOfAsset = 'asset' in needs || 'assets' in needs;
    const pointsBack = slots.date === undefined && stretch.some((_, at) => isPointing(stretch, at));
    const carried = tokens.flatMap((_, at) => {
      const slot = whole.slotAt(at);
      const isOfStretch =
        slot === 'interval' ||
        (slot === 'asset' && isOfAsset) ||
        (ruleTools.has(tool ?? '') && ofRules.has(slot ?? ''));
      const isLacking = isOfStretch && slots[slot as SlotName] === undefined;
      return isLacking || (pointsBack && slot === 'date') ? [asCarried(whole, at)] : [];
    });
    return [...inPlaceOfIt([...carried, ...stretch])];
  });
  const rest = tokens.filter((_, at) => !found.some(({ from, to }) => at >= from && at < to));
  return { stretches, rest: rest.slice(0, rest.findLastIndex((token) => !isJoint(token)) + 1) };
}

function clearest(
  tokens: readonly Token[],
  start: number,
  end: number,
  whole: Question,
  parts: MessageParts,
  isDeclined: boolean,
): Stretch | undefined {
  const cuts = cutsOf(whole, start, end);
  const stretches = cuts
    .flatMap((from, n) =>
      cuts.slice(n + 1, n + 1 + mostSpanned).flatMap((to) => stretchOf(tokens, from, to, whole, parts) ?? []),
    )
    .filter(({ from, intent }) => !isDeclined || (askers.has(tokens[from].text) && intent.tool !== null));
  const [best] = stretches.toSorted((one, other) => other.score - one.score);
  return stretches
    .filter(
      ({ intent, score, from, to }) =>
        intent === best.intent && score >= best.score * nearly && from <= best.from && to >= best.to,
    )
    .toSorted((one, other) => other.to - other.from - (one.to - one.from))[0];
}

function stretchOf(
  tokens: readonly Token[],
  start: number,
  end: number,
  whole: Question,
  parts: MessageParts,
): Stretch | undefined {
  let [from, to] = [start, end];
  while (from < to && isJoint(tokens[from])) from++;
  while (from < to && isJoint(tokens[to - 1])) to--;
  if (parts.isSpent || from === to || to - from > mostTokens || refiners.has(tokens[from].text))
    return undefined;
  const stretch = tokens.slice(from, to);
  const { asset } = whole.slots;
  if (isBesideSubject(whole, from, to)) return undefined;
  const { score, intent: name, hasOwn } = parts.score(stretch, asset);
  const intent = (hasOwn || score >= sure) && score >= clear ? intentNamed(name!)! : undefined;
  if (intent === undefined) return undefined;
  const { tool, declines } = intent;
  const isMeant = to - from >= leastOfTerm && parts.read(stretch).slots.term !== undefined;
  // "So I know when to get out" asks for nothing.
  if (declines === 'action' && tokens[from - 1]?.text === 'to') return undefined;
  if (tool === null && declines !== 'action' && declines !== 'prediction' && !isMeant) return undefined;
  const isOfAsset =
    listingNamed(tool ?? '')?.scope === 'public' && (asset === undefined || usedSlots(intent).has('asset'));
  const isOfAccount = tool !== null && listingNamed(tool)?.scope !== 'public';
  return isOfAsset || score >= (isOfAccount ? certain : sure) ? { from, to, score, intent } : undefined;
}

/** Whether a clause has a word of a stretch and one for something that is not here: "why" and "did BTC fall". */
function isBesideSubject(whole: Question, from: number, to: number): boolean {
  const isEnd = (at: number) => isJoint(whole.tokens[at]);
  let [start, end] = [from, to];
  while (start > 0 && !isEnd(start - 1) && !(questions.has(whole.word(start)) && start - 1 > 0)) start--;
  while (end < whole.tokens.length && !isEnd(end)) end++;
  return whole.tokens.some((_, at) => at >= start && at < end && whole.slotAt(at) === 'subject');
}
const questions = new Set('what whats which how where tell show give'.split(' '));

const isJoint = ({ kind, text }: Token): boolean =>
  (kind === 'mark' && clauseEnds.has(text)) || joints.has(text);

/** The places where a stretch may begin or end. */
function cutsOf(whole: Question, start: number, end: number): number[] {
  const { tokens } = whole;
  const isOpener = (at: number) => openers.has(tokens[at].text);
  // "Bitcoin, ethereum and solana" is one list.
  const isListed = (at: number) => [at - 1, at + 1].every((place) => whole.slotAt(place) === 'asset');
  const places = [...tokens.keys()].filter(
    (at) =>
      at > start &&
      at < end &&
      !isListed(at) &&
      !isListed(at - 1) &&
      (isJoint(tokens[at - 1]) || isJoint(tokens[at]) || (isOpener(at) && !isOpener(at - 1))),
  );
  return [start, ...places.slice(0, mostCuts), end];
}
