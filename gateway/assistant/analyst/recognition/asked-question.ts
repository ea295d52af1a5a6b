import { wordSet } from '../word-list.js';
import type { AnalystState } from '../analyst-state.js';
import type { Intent } from '../intent.js';
import { intentNamed } from '../intents.js';
import type { Question } from '../slots/question.js';
import { strategyOf } from '../slots/strategy.js';
import type { SlotName, Slots } from '../slots.js';
import type { Token } from '../text/token.js';
import { fillSlots, type FilledSlots } from './fill-slots.js';
import { adaptToLast } from './adapt-to-last.js';
import { chartTerms, ownTerms } from './own-terms.js';
import { usedSlots } from './slot-fit.js';
import { asksForTest, isAboutRule, isAboutTest, ruleTools, testTools } from './test-cue.js';
import type { MessageParts } from './message-parts.js';
import type { IntentScore } from './phrase-index.js';

/** A question that was recognised. */
export interface AskedQuestion {
  intent: Intent;
  slots: Slots;
  /** The words that it was read from. */
  question: Question;
  /** What is asked of something that is not here: a follow-up may ask it of something else. */
  like?: Intent;
  /** The first needed slot that neither the question nor the conversation has. */
  missing?: SlotName;
}

/** A question that was not recognised, with the kind of question that it is most like. */
export interface UnclearQuestion {
  unclear: 'off-topic' | 'vague';
  nearest?: AskedQuestion;
}

/** Below this score a question is not understood. */
const floor = 0.187;
/** The same for questions that name an asset. */
const assetFloor = 0.135;
/** A long question that fits one intent this many times better than the next is understood from this score on. */
const clearFloor = 0.09;
const clearly = 2;
/** Questions with at most so many words only change the last one: "without fees". */
const shortest = 4;
/** Below this score a question is about another subject than markets and accounts. */
const faint = 0.13;
/** From this score on a question of some words is a new one: "what is BTC at". */
const sure = 0.7;
const leastTerms = 4;
/** Below this score a question that could continue the last one does. */
const certain = 0.5;

/** A question that names one of these slots continues the last one only if the last intent uses the slot. */
const ofOthers = wordSet<SlotName>('asked-question', 'ofOthers');

/** Periods are spans of hours, too: an intent that uses one of these slots understands the others. */
const isSpanOf = (slot: SlotName, used: ReadonlySet<SlotName>): boolean =>
  spans.has(slot) && [...spans].some((each) => used.has(each));
const spans: ReadonlySet<SlotName> = new Set<SlotName>(['windowHours', 'period', 'isToday', 'isAllTime']);

/** The intent and slots of a question in its conversation, or why it is unclear. */
export function askedQuestion(
  tokens: readonly Token[],
  state: AnalystState,
  parts: MessageParts,
): AskedQuestion | UnclearQuestion {
  const { index } = parts.known;
  const question = parts.read(tokens);
  const own = ownTerms(question.terms());
  const [best, second] = parts.rank(tokens, state.slots);
  const score = best?.score ?? 0;
  const subjects = question.heard.filter(({ kind }) => kind === 'subject');
  const isOfOthers = subjects.every(({ isAsset }) => isAsset) && question.slots.asset !== undefined;
  if (subjects.length > 0 && !(isOfOthers && isWhole(best, question, state)))
    return {
      ...asked(intentNamed('not-here')!, question, state, 'new'),
      ...(best ? { like: best.intent } : {}),
    };
  const answer = answerToPending(question, state, own.length === 0 ? 0 : score);
  if (answer) return answer;
  const last = state.intent === undefined ? undefined : intentNamed(state.intent);
  if (last) {
    if (changesLevel(question, last, state.slots)) return asked(last, question, state, 'follows');
    if (changesRule(question, last)) return asked(last, withoutIndicator(question), state, 'follows');
    adaptToLast(question, last, state.slots ?? {});
    const used = usedSlots(last);
    const left = own.filter(
      (term) =>
        !used.has(question.choiceTerms.get(term) ?? 'term') &&
        !(question.slots.interval !== undefined && chartTerms.has(term)),
    );
    const names = Object.keys(question.slots) as SlotName[];
    const isOfLast = names.every(
      (slot) =>
        (slot === 'state' ? last.takes : [...used]).includes(slot) ||
        !ofOthers.has(slot) ||
        isSpanOf(slot, used),
    );
    const isOther =
      (question.slots.asset !== undefined && !used.has('asset')) ||
      (score >= sure && best.intent !== last && question.terms().length >= leastTerms);
    const isShort =
      !isOther &&
      left.length === 0 &&
      names.length > 0 &&
      isOfLast &&
      (own.length === 0 ||
        isAnaphoric(question) ||
        question.tokens.length <= shortest ||
        isElliptic(question));
    const changes =
      isElliptic(question) &&
      isOfLast &&
      names.length > 0 &&
      left.every((term) => index.isTermOf(term, last));
    const fits =
      own.length > 0 &&
      (question.slots.asset === undefined || used.has('asset')) &&
      own.every((term) => index.isTermOf(term, last)) &&
      score < certain;
    if (isShort || fits || changes) return asked(last, question, state, 'follows');
  }
  const isEmpty =
    own.length === 0 &&
    Object.keys(question.slots).length === 0 &&
    !isAnaphoric(question) &&
    best?.intent.tool !== null;
  const isClear = score >= clearFloor && score >= (second?.score ?? 0) * clearly;
  const least = isClear ? 0 : question.slots.asset === undefined ? floor : assetFloor;
  if (best !== undefined && score >= least && !isEmpty) {
    const intent = ofDate(ofRules(ofTest(best.intent, question), question), question);
    const how = isSameAgain(question, intent, state) ? 'follows' : isAnaphoric(question) ? 'refers' : 'new';
    return asked(intent, question, state, how);
  }
  if (question.slots.conditions !== undefined && !question.namesAsset)
    return asked(intentNamed('screener')!, question, state, 'new');
  // An asset and a rule say what is to be tested, whatever stands beside them; so do "XRP 1h 3M".
  const { interval, period } = question.slots;
  const isTest = isAboutTest(question) || (interval !== undefined && period !== undefined);
  const isBot = question.tokens.some((_, at) => question.word(at) === 'bot');
  if ((isBot || (question.slots.asset !== undefined && isTest)) && !isEmpty)
    return asked(ofRules(intentNamed('run-backtest')!, question), question, state, 'new');
  const isOfField =
    question.slots.asset !== undefined || (score >= faint && own.some((term) => index.knows(term)));
  const unclear = isOfField ? 'vague' : 'off-topic';
  return best?.intent.topic === undefined
    ? { unclear }
    : { unclear, nearest: { intent: best.intent, slots: {}, question } };
}

/** "Gold or BTC, which did better": what is asked can be told of the asset that is here. */
const isWhole = (best: IntentScore | undefined, question: Question, state: AnalystState): boolean =>
  (best?.score ?? 0) >= assetFloor &&
  best!.intent.tool !== null &&
  !(best!.intent.name === 'pair-relationship' && question.slots.assets?.length === 1) &&
  asked(best!.intent, question, state, 'new').missing === undefined;

/** "Wide stop and two targets" after a plan, "now only those where adx is over 25": the last question with other values. */
const isSameAgain = (question: Question, { name }: Intent, { intent, slots: before }: AnalystState) =>
  name === intent &&
  question.slots.asset === undefined &&
  (before?.asset !== undefined || ruleOpenings.has(question.word(0)) || question.tokens.length <= shortest);

/** "Change SL to 1140, still ok?" after a check: another value of it. "Change my SL" is said of an order. */
function changesLevel({ slots, tokens }: Question, last: Intent, before: Slots = {}): boolean {
  const used = usedSlots(last);
  return (
    /^(?:change|set|make|put|move)$/.test(tokens[0].text) &&
    !tokens.some(({ text }) => text === 'my') &&
    (['entry', 'stop', 'target', 'leverage'] as const).some(
      (slot) => used.has(slot) && slots[slot] !== undefined && before[slot] !== undefined,
    )
  );
}

/** "Now with ichimoku", "and mean reversion with a z-score?" after a test: another rule, known or not. */
function changesRule(question: Question, last: Intent): boolean {
  const { slots, tokens } = question;
  if (!ruleTools.has(last.tool ?? '') || slots.asset !== undefined || tokens.length > mostElliptic)
    return false;
  if (slots.leverage !== undefined) return true;
  if (!ruleOpenings.has(question.word(0))) return false;
  if (slots.strategy !== undefined || slots.side !== undefined) return true;
  if (question.tokens.some((_, at) => ofRule.has(question.word(at)))) return true;
  return slots.indicator !== undefined ? strategyOf(slots.indicator) === undefined : slots.minZ !== undefined;
}

/** A rule, and what it says of its trades: "the divergence strategy", "put a stop at 8 %", "now only take trades in the asian session". */
const ofRule = new Set(['strategy', 'one', 'trades', 'entries', 'exits', 'stop', 'stops', 'target']);
const ruleOpenings = wordSet('asked-question', 'ruleOpenings');

function withoutIndicator(question: Question): Question {
  for (const slot of ['minZ', 'conditions', 'exchange'] as const) delete question.slots[slot];
  return question;
}

/** A backtest of an asset is run, whatever rule stands beside it: "backtest candlestick engulfing on ETH". */
function ofTest(intent: Intent, question: Question): Intent {
  const isOther =
    intent.tool === null
      ? intent.declines === 'off-topic'
      : !ruleTools.has(intent.tool) && !testsOfAsset.has(intent.tool);
  const isTold = asksForTest(question) || (isAboutRule(question) && !testTools.has(intent.tool ?? ''));
  return isOther && isTold && question.slots.asset !== undefined ? intentNamed('run-backtest')! : intent;
}

/** Several strategies are tested side by side; a test of one tells of holding, too. */
function ofRules(intent: Intent, { slots: { strategies = [] } }: Question): Intent {
  const isOfOne = strategies.filter((each) => each !== 'buy_and_hold').length < 2;
  return isOfOne || intent.tool !== 'run_backtest' ? intent : intentNamed('compare-backtests')!;
}

/** Further tools that a question with "backtest" and an asset may mean. */
const testsOfAsset = new Set(['simulate_recurring_buy', 'run_monte_carlo', 'get_strategy_leaderboard']);

/** The price of a day in the past is another tool's than the price now; that of several hours are candles. */
function ofDate(intent: Intent, { tokens, slots: { date, hours, windowHours } }: Question): Intent {
  // "And how have they changed since yesterday?"
  const isSince =
    intent.name === 'price' && windowHours !== undefined && tokens.some(({ text }) => text === 'since');
  if (!['price', 'past-price'].includes(intent.name) || date === undefined || isSince) return intent;
  const isLong = hours !== undefined && Date.parse(hours.end) - Date.parse(hours.start) > 3_600_000;
  return intentNamed(isLong ? 'candles' : 'past-price')!;
}

function asked(
  intent: Intent,
  question: Question,
  state: AnalystState,
  how: FilledSlots['how'],
): AskedQuestion {
  const { slots, missing } = fillSlots(intent, question, state, how);
  return missing === undefined ? { intent, slots, question } : { intent, slots, question, missing };
}

/** The pending question, if this message gives the slot that was asked for, or a bare number for it; else null. */
function answerToPending(question: Question, { pending }: AnalystState, score: number): AskedQuestion | null {
  if (!pending || score >= certain) return null;
  const intent = intentNamed(pending.intent);
  if (!intent) return null;
  const given: Slots = question.slots;
  const named: Slots = { ...given };
  const bare =
    given.price ??
    question.slots.count ??
    question.slots.percent ??
    question.slots.amount ??
    question.slots.candles;
  const wanted = pending.slot;
  if (given[wanted] === undefined && wanted !== 'prices') {
    delete named.prices;
    delete question.slots.prices;
  }
  if (given[wanted] === undefined && bare !== undefined && isNumeric(wanted))
    Object.assign(named, { [wanted]: bare });
  if (named[wanted] === undefined) return null;
  return asked(
    intent,
    withSlots(question, named),
    { intent: pending.intent, slots: pending.slots },
    'follows',
  );
}

const numeric = wordSet<SlotName>('asked-question', 'numeric');
const isNumeric = (slot: SlotName): boolean => numeric.has(slot);

function withSlots(question: Question, slots: Slots): Question {
  Object.assign(question.slots, slots);
  return question;
}

/** The words that a question without a verb of its own begins with: "with a tighter stop", "on the 4h chart". */
const openings = wordSet('asked-question', 'openings');
const mostElliptic = 8;
const asking = wordSet('asked-question', 'asking');

/** Whether a question only says what is different: a few words behind "with", "on", "only", "make it". */
function isElliptic(question: Question): boolean {
  const { tokens } = question;
  const [first, second] = [question.word(0), question.word(1)];
  if (tokens.length > mostElliptic || !openings.has(first)) return false;
  if (['what', 'how'].includes(first) && !['about', 'if'].includes(second)) return false;
  return !tokens.some((_, at) => asking.has(question.word(at)));
}

const pronouns = wordSet('asked-question', 'pronouns');

/** Whether a question points back: "what would flip it", "and the levels". */
const isAnaphoric = ({ tokens }: Question): boolean =>
  tokens.some(({ kind, text }) => kind === 'word' && pronouns.has(text)) ||
  ['and', 'then', 'also'].includes(tokens[0]?.text);
