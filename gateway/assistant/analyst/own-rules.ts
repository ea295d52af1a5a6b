import { wordSet } from './word-list.js';
import type { MadeCall, Toolbox } from '../toolbox.js';
import type { AnalystState } from './analyst-state.js';
import { placesOf } from './heard/read-question.js';
import { recogniser } from './recognition/default-recogniser.js';
import type { Question } from './slots/question.js';
import type { FoundCondition } from './slots/conditions.js';
import type { UnderstandingOptions } from './understand.js';

/** What a message says of rules to be tested: the arguments of `research_backtest`, and what of them was guessed. */
interface OwnRules {
  args: { strategy: object; asset: string; interval: string; from?: string };
  guesses: string[];
}

/** What is answered to a message about rules, in the form of the analyst's answers. */
interface RulesAnswer {
  text: string;
  calls: MadeCall[];
  state: AnalystState;
}

/**
 * Answers a message that describes rules of its own to be tested, "backtest rsi below 30 in an uptrend since 2021", or that
 * agrees to a test which the last answer has described; null for every other message. It says the rules that it understood,
 * and runs what it guessed only after it has asked.
 */
export async function ownRulesAnswer(
  message: string,
  { rules: proposed, ...state }: AnalystState,
  toolbox: Toolbox,
  options: UnderstandingOptions,
): Promise<RulesAnswer | null> {
  if (proposed?.isOpen && agreement.test(message.trim())) {
    const ran = await run(proposed.args, toolbox);
    return { ...ran, state: { ...state, rules: { ...proposed, isOpen: false } } };
  }
  const read = readOwnRules(message, options, proposed);
  if (read === null) return null;
  const { strategy, asset, interval, from } = read.args;
  const call = { tool: 'check_strategy', args: { strategy, interval } };
  const outcome = await toolbox.call(call.tool, call.args);
  const calls = [{ ...call, outcome }];
  if (!outcome.ok) return { text: `I can't test these rules: ${outcome.message}.`, calls, state };
  const window = from === undefined ? 'over the whole history' : `from ${from} on`;
  const understood = `I understood these rules: ${outcome.headline} On ${asset}, ${interval} candles, ${window}.`;
  if (read.guesses.length > 0) {
    const text = `${understood}\n\nI guessed ${read.guesses.join('; ')}. Say "yes" to run this, or ask again with what should be different.`;
    return { text, calls, state: { ...state, rules: { args: read.args, isOpen: true } } };
  }
  const ran = await run(read.args, toolbox);
  return {
    text: `${understood}\n\n${ran.text}`,
    calls: [...calls, ...ran.calls],
    state: { ...state, rules: { args: read.args, isOpen: false } },
  };
}

const agreement =
  /^(?:yes|yep|yeah|ok|okay|sure|go|go ahead|run|run it|do it|please do|yes,? (?:please|run it|do it))[.!]*$/i;

async function run(args: Record<string, unknown>, toolbox: Toolbox): Promise<Omit<RulesAnswer, 'state'>> {
  const tool = 'research_backtest';
  if (!toolbox.names.has(tool))
    return { text: 'To run this I need your account. Sign in and ask again.', calls: [] };
  const outcome = await toolbox.call(tool, args);
  const text = outcome.ok ? outcome.headline : `It can't be run: ${outcome.message}.`;
  return { text, calls: [{ tool, args, outcome }] };
}

const testWord = /^(?:back-?test(?:s|ed|ing)?|test|simulat(?:e|ed|ing))$/;
/** Words of questions that other tools answer. */
const ofOthers = wordSet('own-rules', 'ofOthers');
const entryWords = wordSet('own-rules', 'entryWords');
const exitWords = wordSet('own-rules', 'exitWords');
/** "And on LINK?" has at most so many tokens. */
const mostChanged = 6;

/** The trend that a word names, as a condition: which average it means is a guess. */
const trends: Readonly<Record<string, '>' | '<'>> = { uptrend: '>', downtrend: '<' };

/** The rules of a message, or those that were described last, for another asset or interval. */
function readOwnRules(
  message: string,
  { nowMs, symbols }: UnderstandingOptions,
  proposed?: AnalystState['rules'],
): OwnRules | null {
  const known = recogniser();
  if (symbols) known.knowSymbols(symbols);
  const { question, conditions } = known.readRules(known.tokens(message), nowMs);
  const words = question.tokens.map((_, at) => question.word(at));
  // The close of a condition closes nothing.
  const exitAt = words.findIndex((word, at) => exitWords.has(word) && question.isFree(at));
  const isExit = ({ from }: FoundCondition) => exitAt !== -1 && from > exitAt;
  const entries = conditions.filter((each) => !isExit(each)).map(({ condition }) => condition);
  const exits = conditions.filter(isExit).map(({ condition }) => condition);
  const trend = words.find((word) => Object.hasOwn(trends, word));
  const { since, date, asset = 'BTC', interval = '1d' } = question.slots;
  // "Sell after 10 days" is a rule, not the span of the test.
  const holds = placesOf(question, 'windowHours', 'period').filter(
    ([at]) => question.word(at - 1) === 'after',
  );
  const from = date ?? (holds.length > 0 ? undefined : since);
  const isChange = conditions.length === 0 && words.length <= mostChanged;
  if (proposed && isChange && (question.slots.asset ?? question.slots.interval) !== undefined) {
    const args = proposed.args as OwnRules['args'];
    const { asset: other = args.asset, interval: length = args.interval } = question.slots;
    const guesses = proposed.isOpen ? ['the rest as before'] : [];
    return { args: { ...args, asset: other, interval: length }, guesses };
  }
  // One comparison alone is what the built-in strategies trade.
  const entryAt = words.findIndex((word) => entryWords.has(word));
  const isTold = entryAt !== -1 && exitAt > entryAt && words.includes('when');
  const isOwn =
    trend !== undefined || conditions.length > 1 || (entries.length === 1 && (isTold || date !== undefined));
  const isTest = isTold || words.some((word) => testWord.test(word));
  if (!isTest || (!isTold && words.some((word) => ofOthers.has(word)))) return null;
  if (!isOwn || entries.length === 0) return null;
  const guesses: string[] = [];
  const all: Condition[] = [...entries];
  if (trend !== undefined) {
    all.push({ left: 'close', op: trends[trend], right: 'sma_200' });
    guesses.push(`that "${trend}" means a close ${trends[trend] === '>' ? 'above' : 'below'} sma_200`);
  }
  for (const side of [all, exits])
    if (side.some((one) => side.some((other) => areOpposed(one, other))))
      guesses.push(`that ${side.map(inWords).join(' and ')} can be so at once`);
  guesses.push(...unread(question, holds));
  const back = exitAt === -1 ? undefined : backAgain(entries[0], words.slice(exitAt));
  const leaving = exits.length > 0 ? exits : [back ?? opposite(entries[0])];
  if (exits.length === 0 && back === undefined)
    guesses.push(
      `the exit, ${leaving.map(inWords).join(' and ')}, because ${exitAt === -1 ? 'you named none' : 'I could not read yours'}`,
    );
  if (question.slots.asset === undefined) guesses.push(`${asset}, because you named no asset`);
  if (question.slots.interval === undefined) guesses.push(`${interval} candles`);
  const isShort = words.includes('short') || words.includes('shorting');
  const join =
    words.slice(0, exitAt === -1 ? undefined : exitAt).includes('or') && trend === undefined ? 'any' : 'all';
  const side = { entry: joined(all, join), exit: joined(leaving, 'all') };
  return {
    args: {
      strategy: isShort ? { short: side } : { long: side },
      asset,
      interval,
      ...(from === undefined ? {} : { from }),
    },
    guesses,
  };
}

type Condition = FoundCondition['condition'];

const joined = (conditions: readonly Condition[], join: 'all' | 'any'): object =>
  conditions.length === 1 ? conditions[0] : { [join]: conditions };

/** "RSI below 40 and above 65". */
const areOpposed = (one: Condition, other: Condition): boolean =>
  one.left === other.left &&
  one.op.startsWith('<') &&
  other.op.startsWith('>') &&
  Number(one.right) < Number(other.right);

/** "With a stop of 3 %, out after 5 days": numbers that no condition has taken. */
const unread = (question: Question, holds: readonly (readonly number[])[]): string[] =>
  question.tokens.flatMap(({ kind }, at) =>
    (kind === 'number' && question.isFree(at)) || holds.some(([start]) => start === at)
      ? [`that "${question.written(Math.max(0, at - 2), at + 2)}" changes nothing`]
      : [],
  );

const inWords = ({ left, op, right }: Condition): string =>
  `${left} ${op === '>' ? 'above' : op === '<' ? 'below' : op} ${right}`;

/** "Sell when it closes back under it", "when MACD goes under": the exit that names the entry again, with the other direction. */
function backAgain({ left, op, right }: Condition, said: readonly string[]): Condition | undefined {
  const isBelow = op.startsWith('<') || op === 'crosses_below';
  const pointsBack = said.some((word) => word === 'it' || word === 'back' || word === left.split('_')[0]);
  return pointsBack && said.some((word) => (isBelow ? above : below).has(word))
    ? { left, op: isBelow ? '>' : '<', right }
    : undefined;
}
const above = new Set(['over', 'above']);
const below = new Set(['under', 'below', 'beneath']);

/** Where an entry is over: an oscillator is left at its middle, a line where it no longer holds. */
function opposite({ left, op, right }: Condition): Condition {
  const isBelow = op.startsWith('<') || op === 'crosses_below';
  const isOscillator = /^(?:rsi|mfi|stoch|williams)/.test(left) && Number(right) >= 0;
  return { left, op: isBelow ? '>' : '<', right: isOscillator ? '50' : right };
}
