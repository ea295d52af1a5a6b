import { foreignFigures } from '../asked/asked-fields.js';
import { wordSet, wordTable } from '../word-list.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import { strategyNames } from '../../../../compute/strategies/index.js';
import type { Question } from '../slots/question.js';
import { usedSlots } from '../recognition/slot-fit.js';
import { quotedName } from '../answer-template.js';
import { leftWords, unknownStrategy } from './left-words.js';
import { brokenLimits } from './limits.js';
import { ruleTools } from '../recognition/test-cue.js';
import { allowedValues, hoursOfSpan, listed, servedIntervals } from './served-values.js';
import { defaultOf, placesOf, writtenAt, writtenSlot, type ReadQuestion } from './read-question.js';
import { isHorizon, isTold, unservedSpan } from './unserved-span.js';

/** What a question names and its answer does not hold, said before any figure. */
export interface Unserved {
  notes: readonly string[];
  /** Whether there are no figures for what is left: an unknown strategy, a day that does not exist. */
  isWhole: boolean;
}

/** Compares what the question names with the arguments of its call and the schema of the tool, and says what is not served. */
export function unservedOf(read: ReadQuestion): Unserved {
  const { intent } = read;
  if (intent.tool === null) return { notes: ofKind(read, 'subject'), isWhole: intent.name === 'not-here' };
  const strategy = unknownStrategy(read);
  const wholes = [
    ...ofKind(read, 'noDate'),
    ...(strategy === undefined ? [] : [strategyWords(strategy)]),
    ...exchangeNote(read),
    ...screenNotes(read),
  ];
  if (wholes.length > 0) return { notes: wholes, isWhole: true };
  const notes = [
    ...ofKind(read, 'subject'),
    ...ofKind(read, 'beside'),
    ...quoteNotes(read),
    ...intervalNotes(read),
    ...unservedSpan(read),
    ...dateNotes(read),
    ...sideNotes(read),
    ...leverageNotes(read),
    ...anyExchangeNotes(read),
    ...assetNotes(read),
    ...furtherNotes(read),
    ...limitNotes(read),
    ...leftNotes(read),
  ];
  return { notes: [...new Set([...notes, ...figureNotes(read, notes.join(' '))])], isWhole: false };
}

/** What is not here, whatever is asked of it. */
export const neverServed = ({
  question,
  exchanges,
}: Pick<ReadQuestion, 'question' | 'exchanges'>): string[] => [
  ...exchangeNote({ question, args: question.slots, exchanges }),
  ...question.heard.flatMap(
    ({ kind, heard, why }) =>
      why ??
      (kind === 'interval' ? `${heard} candles are not kept here, only ${listed(servedIntervals)}.` : []),
  ),
];

/** What can't be served whatever else is given: said before a question back. */
export const unservedAnyway = (read: ReadQuestion): string[] => [
  ...neverServed(read),
  ...(read.intent.tool === null
    ? []
    : [
        ...sideNotes(read),
        ...leverageNotes(read),
        ...limitNotes(read),
        ...(read.question.heard.some(({ kind }) => kind === 'time') ? dateNotes(read) : []),
        ...(ruleTools.has(read.intent.tool) ? [] : leftNotes(read)),
      ]),
];

/** "RSI below 30 on 4h and above 50 on 1d": conditions on several intervals are several screens. */
const screenNotes = ({ question, intent, slots }: ReadQuestion): string[] =>
  intent.tool === 'screen_assets' && question.intervals.size > 1 && (slots.conditions?.length ?? 0) > 1
    ? [`A screen is of one interval: ask by itself for ${listed([...question.intervals])}.`]
    : [];

const limitNotes = (read: ReadQuestion): string[] => brokenLimits(read).map(({ note }) => note);

const ofKind = ({ question }: ReadQuestion, kind: string): string[] =>
  question.heard.flatMap((each) =>
    each.kind === kind ? [each.why ?? `"${each.heard}" can't be served here.`] : [],
  );

/** "My balance in euros": a currency that the tool has no argument for. */
function quoteNotes({ question, intent, args }: ReadQuestion): string[] {
  const { tradeMarket = 'USDT' } = question.slots;
  const isUsed =
    hasArgument(intent.tool, 'trade_market') || JSON.stringify(args).includes(`"${tradeMarket}"`);
  return tradeMarket === 'USDT' || isUsed
    ? []
    : [
        `"${writtenSlot(question, 'tradeMarket') ?? tradeMarket}" can't be reckoned in here; amounts are in USDT.`,
      ];
}

const strategyWords = (heard: string): string =>
  `There is no strategy "${heard}" here. Those that can be tested are ${listed(strategyNames.map((name) => name.replaceAll('_', ' ')))}.`;

export const hasArgument = (tool: string | null, ...names: string[]): boolean =>
  names.some((name) => listingNamed(tool ?? '')?.inputSchema.properties[name] !== undefined);

function intervalNotes({ question, intent, args, slots }: ReadQuestion): string[] {
  const tool = intent.tool!;
  const allowed = allowedValues(tool, 'interval');
  const heard = question.heard.filter(({ kind }) => kind === 'interval');
  const used = String(args.interval ?? slots.interval ?? defaultOf(tool, 'interval'));
  const rest = allowed.length > 0 ? `. On ${used}:` : `. ${fixedIntervals[tool] ?? ''}`.trim();
  if (heard.length > 0)
    return heard.map(
      (each) => `${each.heard} candles are not kept here, only ${listed(servedIntervals)}${rest}`,
    );
  const { interval } = question.slots;
  // "VaR 95 1d": the span of the loss.
  if (allowed.length > 0 || sayInterval.has(tool) || interval === undefined) return [];
  if (isTold(tool, hoursOfSpan(interval))) return [];
  return [fixedIntervals[tool] ?? `The interval ${interval} changes nothing here.`];
}

/** Tools whose answer tells of all intervals. */
const sayInterval = wordSet('unserved', 'sayInterval');
const fixedIntervals: Readonly<Record<string, string>> = { assess_risk: 'Risk is assessed on 1h candles.' };

export const takesOneInterval = (tool: string): boolean =>
  !sayInterval.has(tool) && allowedValues(tool, 'interval').length > 1;

function dateNotes({ question, intent, args, slots }: ReadQuestion): string[] {
  const tool = intent.tool!;
  const times = question.heard.filter(({ kind }) => kind === 'time').map(({ heard }) => heard);
  const hasDate = ['end_time', 'since', 'from', 'to', 'start', 'end'].some(
    (name) => args[name] !== undefined,
  );
  const day = question.slots.date;
  if (day !== undefined && slots.hours !== undefined && args.end_time === slots.hours.end)
    return slots.hours.isWhole
      ? []
      : [`Candles are of an hour at the finest; this is the hour in which "${times.join(', ')}" lies.`];
  if (day !== undefined && hasDate)
    return times.length === 0
      ? []
      : [`The time of day in "${times.join(', ')}" is not read; what follows is of the whole day.`];
  if (day === undefined && times.length === 0) return [];
  // A weekday, or an hour of the day, is one of its rows.
  const isRow = question.slots.by === 'hour' || (question.slots.by !== undefined && times.length === 0);
  if (tool === 'get_seasonality' && isRow) return [];
  if (
    tool === 'get_performance' &&
    day === undefined &&
    times.every((each) => /^(?:ytd|year to date)$/i.test(each))
  )
    return [];
  const said =
    [...times, ...(day === undefined ? [] : [writtenSlot(question, 'date') ?? '']), '']
      .filter((each) => each !== '')
      .join(', ') || day!;
  if (slots.period !== undefined || slots.windowHours !== undefined) {
    const about = times.length === 0 && spanTools.has(tool);
    if (about) return [];
  }
  const { windowHours } = question.slots;
  if (windowHours !== undefined && times.length === 0 && (namedSpan(tool) || isTold(tool, windowHours)))
    return [];
  return [
    `I can't reckon this for "${said}": ${hasPeriod(tool) ? `the periods are ${listed(allowedValues(tool, 'period'))}` : 'it is read for the present'}.`,
  ];
}

/** Since a day is a span for them, and is said as one. */
const namedSpan = (tool: string): boolean => hasPeriod(tool) || allowedValues(tool, 'window').length > 0;

/** Tools that count back from now: "since Monday" is a span for them. */
const spanTools = wordSet('unserved', 'spanTools');
const hasPeriod = (tool: string): boolean => allowedValues(tool, 'period').length > 0;

function sideNotes({ question, intent, args }: ReadQuestion): string[] {
  const tool = intent.tool!;
  const heard = question.heard.filter(({ kind }) => kind === 'side').map(({ heard: said }) => said);
  const isShort = question.slots.side === 'short';
  if (hasArgument(tool, 'side', 'trade_side') || args.signal !== undefined) return [];
  const said = heard[0] ?? (isShort ? (writtenSlot(question, 'side') ?? 'short') : undefined);
  if (said === undefined) return [];
  if (ruleTools.has(tool) || tool === 'simulate_recurring_buy')
    return [`Only buying is tested here ("${said}" is not): the strategies are long only. Long:`];
  return tool === 'get_performance' ? [`"${said}" is not reckoned: these are the returns of holding.`] : [];
}

function leverageNotes({ question, intent, args }: ReadQuestion): string[] {
  const { leverage } = question.slots;
  const said = writtenSlot(question, 'leverage') ?? question.written(0, 0);
  const words = question.tokens.map((_, at) => question.word(at));
  const isNamed =
    leverage !== undefined || words.some((word) => ['leverage', 'leveraged', 'margin'].includes(word));
  if (!isNamed || args.leverage !== undefined || hasArgument(intent.tool, 'leverage', 'account', 'signal'))
    return [];
  if (leverage === undefined && !ruleTools.has(intent.tool!)) return [];
  return [`Leverage (${said === '' ? 'margin' : said}) is no part of this; what follows is without it:`];
}

/** An exchange that can't be connected here, where the tool reads one exchange. */
function exchangeNote({
  question,
  args: { exchange },
  exchanges,
}: Pick<ReadQuestion, 'question' | 'args' | 'exchanges'>): string[] {
  if (typeof exchange !== 'string' || exchanges?.includes(exchange) !== false) return [];
  return [
    `${writtenSlot(question, 'exchange') ?? exchange} can't be connected here; the exchanges are ${listed(exchanges)}.`,
  ];
}

function anyExchangeNotes({ question, intent, args, exchanges }: ReadQuestion): string[] {
  const { exchange } = question.slots;
  if (exchange === undefined || args.exchange !== undefined) return [];
  const isServed = (name: string) => exchanges?.includes(name.toUpperCase()) === true;
  const said =
    exchangesOf(question)
      .filter((name) => exchanges?.includes(exchange) !== false || !isServed(name))
      .join('", "') || exchange;
  if (hasArgument(intent.tool, 'exchange', 'signal') || listingNamed(intent.tool!)?.scope !== 'public')
    return exchanges?.includes(exchange) !== false
      ? []
      : [`"${said}" can't be connected here; the exchanges are ${listed(exchanges)}.`];
  if (['list_exchanges', 'get_channel_performance'].includes(intent.tool!)) {
    const unknown = exchangesOf(question).filter((name) => exchanges !== undefined && !isServed(name));
    return unknown.map((name) => `"${name}" is not among the exchanges here.`);
  }
  return [
    `Market data here are not told apart by exchange ("${said}"); this is the market that the service reads:`,
  ];
}

/** The exchanges as the question writes them. */
const exchangesOf = (question: Question): string[] => [
  ...new Set(placesOf(question, 'exchange').map(([at]) => question.written(at, at + 1))),
];

const longestQuote = 120;

const signs: object = wordTable('changes', 'signs');

/** Assets that are named and stand in no argument. */
function assetNotes({ question, args, intent }: ReadQuestion): string[] {
  const { assets = [], tradeMarket } = question.slots;
  // Each asset has a call of its own.
  const isOfOne = 'asset' in intent.needs && !usedSlots(intent).has('assets');
  const used = JSON.stringify(args);
  // "My risk if I sell all my SOL": how much is not read.
  const isUnread =
    hasArgument(intent.tool, 'changes') &&
    args.changes === undefined &&
    question.tokens.some((_, at) => Object.hasOwn(signs, question.word(at)));
  const left = assets.filter(
    (asset) =>
      !used.includes(`"${asset}"`) &&
      asset !== tradeMarket &&
      !isOfOne &&
      (!usedSlots(intent).has('asset') || isUnread),
  );
  if (left.length > 0 && intent.tool === 'list_signals')
    return [`These are the signals of all assets, ${listed(left)} among them if there are any:`];
  if (left.length === 0 || intent.tool === 'get_balances') return [];
  // Which of its words the answer heeds does not matter: it is of something else.
  const asked = quotedName(question.written(0, question.tokens.length), longestQuote);
  return [`For ${listed(left)} alone I can't tell ${asked}; this is of all:`];
}

/** Slots of which a call holds one value, each with its arguments. */
const singles: readonly (readonly [slots: readonly string[], args: readonly string[]])[] = [
  [['interval'], ['interval']],
  [['exchange'], ['exchange']],
  [['every'], ['every']],
  [
    ['period', 'windowHours'],
    ['period', 'window', 'window_hours', 'lookback_days'],
  ],
];

/** "Levels on 4h and 1d": a second value where a call holds one. */
function furtherNotes({ question, intent, args }: ReadQuestion): string[] {
  const heard = new Set(question.heard.map((each) => each.heard.toLowerCase()));
  return singles.flatMap(([slots, names]) => {
    // Each interval has a call of its own.
    if (names.includes('interval') && takesOneInterval(intent.tool!)) return [];
    if (names.includes('interval') && sayInterval.has(intent.tool!)) return [];
    if (!names.some((name) => typeof args[name] === 'string' || typeof args[name] === 'number')) return [];
    // "Today" is a span of its own for some tools, and a day for the others.
    const isOfToday = names.some((name) => args[name] === 'today');
    const hasToday = slots.includes('period') && names.every((name) => args[name] !== '24h');
    const places = [placesOf(question, ...slots), hasToday ? placesOf(question, 'isToday') : []];
    // "The last fourteen days, a fortnight" is one span.
    const hours = (at: number) => question.spans.get(at) ?? -at;
    const isRead = (at: number) => hours(at) === question.slots.windowHours;
    const [first, ...others] = (isOfToday ? places.reverse() : places)
      .flat()
      .filter(([at]) => !isTold(intent.tool!, hours(at)) && !isHorizon(intent.tool!, hours(at)))
      .filter(([at], n, all) => all.findIndex(([each]) => hours(each) === hours(at)) === n)
      .sort(([one], [other]) => Number(isRead(other)) - Number(isRead(one)))
      .map((place) => writtenAt(question, place).toLowerCase())
      .filter((each) => !heard.has(each));
    const further = others.filter((each) => each !== first);
    return further.length === 0
      ? []
      : [`This is of "${first}" alone; ask by itself for ${listed(further.map((each) => `"${each}"`))}.`];
  });
}

/** Figures that the answer has not, where no other note names them. */
function figureNotes({ question, figures }: ReadQuestion, said: string): string[] {
  const foreign = figures === undefined ? [] : foreignFigures(question, figures);
  return foreign.flatMap((each) =>
    said.includes(each) ? [] : [`"${each}" is not among the figures of this answer.`],
  );
}

/** Arguments that say by what rows are grouped or ordered. */
const orders = ['group_by', 'by', 'rank_by', 'sort', 'sort_by'];

function leftNotes(read: ReadQuestion): string[] {
  const all = leftWords(read);
  const choices = orders.flatMap((name) => allowedValues(read.intent.tool!, name));
  const isChoice = (each: string) => choices.length > 0 && each.startsWith('by ');
  const left = all.filter((each) => !isChoice(each));
  const words = listed(left.map((each) => `"${each}"`));
  const ways = listed(
    [...new Set(choices)].map((each) => each.replace('oos', 'out-of-sample').replaceAll('_', ' ')),
    'or',
  );
  return [
    ...all.filter(isChoice).map((each) => `"${each}" is not among the ways here, only by ${ways}.`),
    ...(left.length === 0
      ? []
      : [
          ruleTools.has(read.intent.tool!)
            ? `${words} can't be tested here; what follows is the plain rule without it:`
            : `I leave ${words} out, which I can't read here.`,
        ]),
  ];
}
