import { wordSet } from './word-list.js';
import type { MadeCall, Toolbox } from '../toolbox.js';
import { stateAfter, type AnalystState } from './analyst-state.js';
import { quotedName } from './answer-template.js';
import type { Question } from './slots/question.js';
import { Asked } from './asked/asked.js';
import { fieldsNamedIn } from './asked/asked-fields.js';
import { fillerWords } from './vocabulary/words.js';
import { outputFields } from './asked/output-fields.js';
import { recogniser } from './recognition/default-recogniser.js';
import { asideText, behindNotes, intentAnswer } from './intent-answer.js';
import { callArgs } from './call-args.js';
import { listed } from './heard/served-values.js';
import { failureText, signInText } from './failure-text.js';
import type { DeclinedKind, Intent } from './intent.js';
import { hasArgument, neverServed, takesOneInterval, unservedAnyway, unservedOf } from './heard/unserved.js';
import { intentNamed } from './intents.js';
import { ownRulesAnswer } from './own-rules.js';
import type { AskedQuestion } from './recognition/asked-question.js';
import { usedSlots } from './recognition/slot-fit.js';
import { ruleTools } from './recognition/test-cue.js';
import type { SlotName, Slots } from './slots.js';
import { understand, type Understanding, type UnderstandingOptions } from './understand.js';

const examples = 'For example: "trend of BTC on 4h", "what would flip ETH?", or "what can you do?"';

const texts: Readonly<Record<NonNullable<Understanding['unclear']>, string>> = {
  empty: `Please write a question. ${examples}`,
  'other-script': `I understand questions in English only. ${examples}`,
  'off-topic': `I answer questions about crypto markets, trading plans and your account here, and this is something else. ${examples}`,
  vague: `I did not understand what you want to know. ${examples}`,
};

const longestQuote = 120;

/** The answer to a message without an understood question: what of it can't be read, and what is near it. */
function unclearText(
  message: string,
  why: keyof typeof texts,
  { exchanges }: UnderstandingOptions,
  nearest?: AskedQuestion,
): string {
  const isQuoted = why === 'vague' || why === 'off-topic';
  const text = isQuoted ? texts[why].replace('.', ` (${quotedName(message, longestQuote)}).`) : texts[why];
  if (nearest === undefined) return text;
  const hint = `The nearest that I can tell is ${nearest.intent.title}. For example`;
  return behindNotes(neverServed({ ...nearest, exchanges }), text.replace('For example', hint));
}

export interface AnalystAnswer {
  text: string;
  calls: MadeCall[];
  /** The state for the next message of the conversation. */
  state: AnalystState;
  /** The slot that the text asks for. */
  asked?: SlotName;
  /** The kind of question that the text declines. */
  declined?: DeclinedKind;
}

/** The answer to one question of a message. */
interface PartAnswer {
  text: string;
  call?: MadeCall;
  declined?: DeclinedKind;
  /** Whether the text begins with what is not served. */
  isNoted?: boolean;
}

/**
 * Answers a message from the tools: it finds the questions, calls their tools side by side, and writes the answers as text. Every
 * figure in the text comes from a tool's payload or from the message. Rejects only if a tool call rejects, which means that the
 * client has disconnected.
 */
export async function analyse(
  message: string,
  state: AnalystState,
  toolbox: Toolbox,
  options: UnderstandingOptions,
): Promise<AnalystAnswer> {
  const ofRules = await ownRulesAnswer(message, state, toolbox, options);
  if (ofRules) return ofRules;
  const { questions: heard, unclear = 'vague', nearest } = understand(message, state, options);
  const questions = withoutFigureParts(heard, toolbox);
  if (questions.length === 0)
    return {
      text: unclearText(message, unclear, options, nearest),
      calls: [],
      state,
      ...(unclear === 'off-topic' ? { declined: 'off-topic' } : {}),
    };
  const complete = questions
    .filter(({ missing }) => missing === undefined)
    .map((each) => ofKnownAssets(each, options))
    .flatMap(ofEach);
  const open = questions.find(({ missing }) => missing !== undefined);
  const wanted = complete.map((each) =>
    askedOf(each, questions.length === 1 ? message : undefined, state, toolbox),
  );
  const answers = await Promise.all(complete.map((each, n) => noted(each, wanted[n], toolbox, options)));
  const { declined } = answers.find((each) => each.declined !== undefined) ?? {};
  // What can't be served is said before any figure.
  const [first, others] = [true, false].map((isFirst) =>
    answers.filter((each) => isUnserved(each) === isFirst),
  );
  return {
    text: [
      ...new Set([...[...first, ...others].map(({ text }) => text), ...(open ? [questionBack(open)] : [])]),
    ].join('\n\n'),
    calls: answers.flatMap(({ call }) => call ?? []),
    state: stateAfter(state, questions, rememberedOf(complete, answers), wanted.at(-1)?.paths),
    ...(open?.missing === undefined ? {} : { asked: open.missing }),
    ...(declined === undefined ? {} : { declined }),
  };
}

/** What is not here or not done, such as an unknown asset among others; what needs an account keeps its place. */
const isUnserved = ({ call, declined, isNoted = false }: PartAnswer): boolean =>
  call === undefined
    ? declined !== 'sign-in'
    : isNoted || (!call.outcome.ok && call.outcome.code === 'invalid_input');

/** The answer to one question, behind what it names and can't be served. */
async function noted(
  asked: AskedQuestion,
  wanted: Asked | undefined,
  toolbox: Toolbox,
  { exchanges }: UnderstandingOptions,
): Promise<PartAnswer> {
  const args = callArgs(asked.intent, asked.slots);
  const figures = wanted?.placesIn(asked.question.tokens);
  const { notes, isWhole } = unservedOf({ ...asked, args, figures, exchanges });
  if (isWhole) return { text: behindNotes(notes, '') };
  // What can't be served as asked is not decided either.
  const plain = notes.length === 0 ? asked : { ...asked, intent: { ...asked.intent, yes: {} } };
  const answer = await answerOf(plain, toolbox, wanted);
  const outcome = answer.call?.outcome;
  const all = [...(outcome?.ok === true ? (wanted?.missing(outcome.payload) ?? []) : []), ...notes];
  return { ...answer, text: behindNotes(all, answer.text), isNoted: all.length > 0 };
}

/** "CVaR 99 of BTC. And the five worst days": a part that names figures of the answer before it is no question of its own. */
const withoutFigureParts = (questions: readonly AskedQuestion[], toolbox: Toolbox): AskedQuestion[] =>
  questions.filter(({ question, slots, like }, n) => {
    const [{ intent, slots: first }] = questions;
    const output = n === 0 || intent.tool === null ? undefined : toolbox.output(intent.tool);
    if (output === undefined || like !== undefined || (slots.asset ?? first.asset) !== first.asset)
      return true;
    const content = question.tokens.filter(({ kind, text }) => kind === 'word' && !fillers.has(text));
    // "MACD cross on TRX, profit?"
    if (content.length < 2 && ruleTools.has(intent.tool!)) return false;
    const named = fieldsNamedIn(outputFields(output), question.tokens).filter(({ at }) => at.length > 1);
    const places = new Set(named.flatMap(({ at }) => at));
    return places.size === 0 || places.size < content.length / 2;
  });
const fillers = new Set(fillerWords);

/** The figures that a question names. One question is read in the whole message: "... I want the hit rate, too." */
function askedOf(
  { intent, question, slots }: AskedQuestion,
  message: string | undefined,
  state: AnalystState,
  toolbox: Toolbox,
): Asked | undefined {
  const output = intent.tool === null ? undefined : toolbox.output(intent.tool);
  if (output === undefined) return undefined;
  const tokens = message === undefined ? question.tokens : recogniser().tokens(message);
  const isFollowUp = state.intent === intent.name && tokens.length <= longestFollowUp;
  return new Asked({
    fields: outputFields(output),
    tokens,
    args: callArgs(intent, slots),
    count: slots.count,
    before: isFollowUp ? state.fields : undefined,
  });
}
const longestFollowUp = 12;

/** What is declined is named. */
const echoOf = ({ declines }: Intent, question?: Question): string[] =>
  question !== undefined && named.has(declines ?? 'secret')
    ? [`To ${quotedName(question.written(0, question.tokens.length).replace(/[,;:]$/, ''), longestQuote)}:`]
    : [];
const named = wordSet<DeclinedKind>('analyst', 'named');

async function answerOf(
  { intent, slots, question }: Pick<AskedQuestion, 'intent' | 'slots'> & Partial<AskedQuestion>,
  toolbox: Toolbox,
  wanted?: Asked,
): Promise<PartAnswer> {
  const { tool } = intent;
  if (tool === null) {
    const text = [...echoOf(intent, question), asideText(intent, slots)].join(' ');
    if (intent.declines === undefined) return { text };
    const shown = await shownInstead(intent, slots, toolbox);
    return { ...shown, text: [text, ...(shown ? [shown.text] : [])].join('\n\n'), declined: intent.declines };
  }
  if (!toolbox.names.has(tool)) return { text: signInText(intent), declined: 'sign-in' };
  const args = callArgs(intent, slots);
  const outcome = await toolbox.call(tool, args);
  const call = { tool, args, outcome };
  if (!outcome.ok) return { text: failureText(outcome, intent), call };
  return { text: intentAnswer(intent, outcome, slots, wanted), call };
}

/** What the data say of the asset of a declined question; undefined if it names no asset, or the tool call fails. */
async function shownInstead(
  { instead }: Intent,
  { asset, interval }: Slots,
  toolbox: Toolbox,
): Promise<PartAnswer | undefined> {
  const intent = instead === undefined ? undefined : intentNamed(instead);
  if (!intent || asset === undefined) return undefined;
  const slots = { asset, assets: [asset], ...(interval === undefined ? {} : { interval }) };
  const shown = await answerOf({ intent, slots }, toolbox);
  return shown.call?.outcome.ok === true ? shown : undefined;
}

/** Asks for what is missing, behind what can't be served anyway. */
function questionBack(asked: AskedQuestion): string {
  const used = usedSlots(asked.intent);
  // There are no arguments yet: what they will hold are the slots.
  const args = Object.fromEntries(Object.entries(asked.slots).filter(([slot]) => used.has(slot as SlotName)));
  const { notes, isWhole } = unservedOf({ ...asked, args });
  return behindNotes(
    isWhole ? notes : unservedAnyway({ ...asked, args }),
    isWhole ? '' : asked.intent.needs[asked.missing!]!,
  );
}

/** Of several assets for one call those that are traded here; the others are named. */
function ofKnownAssets(asked: AskedQuestion, { symbols }: UnderstandingOptions): AskedQuestion {
  const { intent, slots, question } = asked;
  const { assets = [], weights } = slots;
  const [unknown, known] = [false, true].map((isKnown) =>
    assets.filter((each) => symbols?.includes(each) === isKnown),
  );
  const least = 'assets' in intent.needs ? 2 : 1;
  const isOfOne = !usedSlots(intent).has('assets') || weights !== undefined;
  if (isOfOne || unknown.length === 0 || known.length < least) return asked;
  const why = `${listed(unknown)} ${unknown.length === 1 ? 'is' : 'are'} not known here.`;
  question.heard.push({ kind: 'beside', heard: listed(unknown), why });
  return { ...asked, slots: { ...slots, assets: known, asset: known[0] } };
}

/** A tool of one interval is called once for each that the question names, and one of one asset for each asset. */
function ofEach(asked: AskedQuestion): AskedQuestion[] {
  const { intent, slots, question } = asked;
  const isOfOne = intent.tool !== null && takesOneInterval(intent.tool) && (slots.assets?.length ?? 0) < 3;
  const intervals = isOfOne && question.intervals.size > 1 ? [...question.intervals] : [slots.interval];
  return ofEachAsset(asked).flatMap((each) =>
    intervals.map((interval) =>
      interval === undefined ? each : { ...each, slots: { ...each.slots, interval } },
    ),
  );
}

function ofEachAsset(asked: AskedQuestion): AskedQuestion[] {
  const { intent, slots, question } = asked;
  const { assets = [] } = question.slots;
  const takesSeveral = severalAssets.some((name) => hasArgument(intent.tool, name));
  const isOfOne = intent.tool !== null && 'asset' in intent.needs && !takesSeveral;
  if (!isOfOne || assets.length < 2) return [asked];
  return assets
    .slice(0, mostAssets)
    .map((asset) => ({ ...asked, slots: { ...slots, asset, assets: [asset] } }));
}

/** Arguments that hold several assets. */
const severalAssets = ['assets', 'second_asset', 'weights', 'changes'];
const mostAssets = 5;

/** The backtest that the last answer has run or listed first: later questions may be about it. */
function rememberedOf(complete: readonly AskedQuestion[], answers: readonly PartAnswer[]): Slots {
  const last = complete.findLastIndex(({ intent }) => intent.tool !== null);
  const { tool, outcome } = answers[last]?.call ?? {};
  if (!['run_backtest', 'get_backtest_result'].includes(tool ?? '') || outcome?.ok !== true) return {};
  const { id, runs } = outcome.payload as { id?: string; runs?: { id: string }[] };
  const backtestId = id ?? runs?.[0]?.id;
  return backtestId === undefined ? {} : { backtestId };
}
