import type { AnalystState } from '../analyst-state.js';
import type { Intent } from '../intent.js';
import { intentNamed } from '../intents.js';
import type { Question } from '../slots/question.js';
import { strategyOf } from '../slots/strategy.js';
import type { SlotName, Slots } from '../slots.js';
import type { Token } from '../text/token.js';
import { fillSlots, type FilledSlots } from './fill-slots.js';
import { ownTerms } from './own-terms.js';
import { usedSlots } from './slot-fit.js';
import type { MessageParts } from './message-parts.js';

/** A question that was recognised. */
export interface AskedQuestion {
  intent: Intent;
  slots: Slots;
  /** The first needed slot that neither the question nor the conversation has. */
  missing?: SlotName;
}

/** Below this score a question is not understood. */
const floor = 0.26;
/** The same for questions that name an asset. */
const assetFloor = 0.2;
/** Questions with at most so many words only change the last one: "without fees". */
const shortest = 4;
/** Below this score it is about something else. */
const faint = 0.17;
/** Below this score a question that could continue the last one does. */
const certain = 0.5;

/** What a question asks, in its conversation. */
export function askedQuestion(
  tokens: readonly Token[],
  state: AnalystState,
  parts: MessageParts,
): AskedQuestion | { unclear: 'off-topic' | 'vague' } {
  const { index } = parts.known;
  const question = parts.read(tokens);
  const own = ownTerms(question.terms());
  const [best] = parts.rank(tokens, state.slots);
  const score = best?.score ?? 0;
  const answer = answerToPending(question, state, own.length === 0 ? 0 : score);
  if (answer) return answer;
  const last = state.intent === undefined ? undefined : intentNamed(state.intent);
  if (last) {
    adapt(question, last);
    const why = whyAfter(own, last);
    if (why) return asked(why, question, state, 'follows');
    const used = usedSlots(last);
    const left = own.filter((term) => !used.has(question.choiceTerms.get(term) ?? 'term'));
    const isShort =
      left.length === 0 &&
      Object.keys(question.slots).length > 0 &&
      (own.length === 0 || isAnaphoric(question) || question.tokens.length <= shortest);
    const fits =
      own.length > 0 &&
      (question.slots.asset === undefined || used.has('asset')) &&
      own.every((term) => index.isTermOf(term, last)) &&
      score < certain;
    if (isShort || fits) return asked(last, question, state, 'follows');
  }
  const isEmpty =
    own.length === 0 &&
    Object.keys(question.slots).length === 0 &&
    !isAnaphoric(question) &&
    best?.intent.tool !== null;
  const least = question.slots.asset === undefined ? floor : assetFloor;
  if (best !== undefined && score >= least && !isEmpty)
    return asked(best.intent, question, state, isAnaphoric(question) ? 'refers' : 'new');
  const isOfField =
    question.slots.asset !== undefined || (score >= faint && own.some((term) => index.knows(term)));
  return { unclear: isOfField ? 'vague' : 'off-topic' };
}

function asked(
  intent: Intent,
  question: Question,
  state: AnalystState,
  how: FilledSlots['how'],
): AskedQuestion {
  const { slots, missing } = fillSlots(intent, question, state, how);
  return missing === undefined ? { intent, slots } : { intent, slots, missing };
}

/** Reads a word as the last question has a use for it: the name of an indicator as the strategy that trades it, "make it 20" as a count. */
function adapt(question: Question, last: Intent): void {
  const used = usedSlots(last);
  const { slots } = question;
  const strategy = slots.indicator === undefined ? undefined : strategyOf(slots.indicator);
  if (
    strategy !== undefined &&
    slots.strategy === undefined &&
    used.has('strategy') &&
    !used.has('indicator')
  )
    Object.assign(slots, { strategy, strategies: [strategy] });
  if (slots.interval === '1d' && used.has('every') && !used.has('interval')) slots.every ??= 'day';
  const { price, prices } = slots;
  const isCounted = used.has('count') && !used.has('price') && !used.has('prices');
  if (isCounted && price !== undefined && Number.isInteger(price) && prices?.length === 1)
    asCount(slots, price);
}

function asCount(slots: Question['slots'], value: number): void {
  slots.count ??= value;
  delete slots.price;
  delete slots.prices;
}

function whyAfter(own: readonly string[], last: Intent): Intent | undefined {
  const asksWhy = own.includes('why') && own.length <= 2;
  return asksWhy && last.why !== undefined ? intentNamed(last.why) : undefined;
}

/** A question that the answer fills: the slot that was asked for, or a bare number in its place. */
function answerToPending(question: Question, { pending }: AnalystState, score: number): AskedQuestion | null {
  if (!pending || score >= certain) return null;
  const intent = intentNamed(pending.intent);
  if (!intent) return null;
  const given: Slots = question.slots;
  const named: Slots = Object.fromEntries(Object.entries(given).filter(([slot]) => slot !== 'price'));
  const bare =
    given.price ??
    question.slots.count ??
    question.slots.percent ??
    question.slots.amount ??
    question.slots.candles;
  const wanted = pending.slot;
  if (given[wanted] === undefined && bare !== undefined && isNumeric(wanted))
    Object.assign(named, { [wanted]: bare });
  const candidate = question.candidates[0];
  if (named.asset === undefined && candidate !== undefined && (wanted === 'asset' || wanted === 'assets'))
    Object.assign(named, { asset: candidate, assets: [candidate] });
  if (named[wanted] === undefined) return null;
  return asked(
    intent,
    withSlots(question, named),
    { intent: pending.intent, slots: pending.slots },
    'follows',
  );
}

const numeric = new Set<SlotName>([
  'amount',
  'percent',
  'entry',
  'stop',
  'target',
  'price',
  'leverage',
  'count',
  'candles',
]);
const isNumeric = (slot: SlotName): boolean => numeric.has(slot);

function withSlots(question: Question, slots: Slots): Question {
  Object.assign(question.slots, slots);
  return question;
}

const pronouns = new Set('it its that this same there them their those these one'.split(' '));

/** Whether a question points back: "what would flip it", "and the levels". */
const isAnaphoric = ({ tokens }: Question): boolean =>
  tokens.some(({ kind, text }) => kind === 'word' && pronouns.has(text)) ||
  ['and', 'then', 'also'].includes(tokens[0]?.text);
