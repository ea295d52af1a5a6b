import type { SlotName, Slots } from '../slots.js';
import type { Question } from './question.js';

const groupers = ['by', 'per', 'each', 'for each', 'for every', 'every', 'by each', 'across'];

/** Words that choose one of the few values of an argument. They stay words, too: they say what is asked. */
const choices: { [Name in SlotName]?: Readonly<Record<string, NonNullable<Slots[Name]>>> } = {
  by: {
    hour: 'hour',
    hours: 'hour',
    hourly: 'hour',
    'time of day': 'hour',
    'during the day': 'hour',
    'in the day': 'hour',
    'of the day': 'hour',
    weekday: 'weekday',
    weekdays: 'weekday',
    'day of the week': 'weekday',
    'day of week': 'weekday',
    'days of the week': 'weekday',
    monday: 'weekday',
    mondays: 'weekday',
    tuesday: 'weekday',
    friday: 'weekday',
    fridays: 'weekday',
    weekend: 'weekday',
    weekends: 'weekday',
    month: 'month',
    months: 'month',
    monthly: 'month',
    january: 'month',
    february: 'month',
    march: 'month',
    april: 'month',
    june: 'month',
    july: 'month',
    august: 'month',
    september: 'month',
    october: 'month',
    november: 'month',
    december: 'month',
    session: 'session',
    sessions: 'session',
    asia: 'session',
    asian: 'session',
    europe: 'session',
    european: 'session',
    london: 'session',
  },
  rankBy: {
    doubled: 'gain',
    tripled: 'gain',
    exploded: 'gain',
    won: 'gain',
    rallied: 'gain',
    rallying: 'gain',
    soared: 'gain',
    soaring: 'gain',
    surged: 'gain',
    surging: 'gain',
    jumped: 'gain',
    climbed: 'gain',
    climbing: 'gain',
    mooning: 'gain',
    mooned: 'gain',
    rising: 'gain',
    rose: 'gain',
    risen: 'gain',
    gaining: 'gain',
    gainers: 'gain',
    gainer: 'gain',
    winners: 'gain',
    gained: 'gain',
    gain: 'gain',
    risers: 'gain',
    pumping: 'gain',
    pumped: 'gain',
    pump: 'gain',
    up: 'gain',
    bled: 'loss',
    bleed: 'loss',
    sank: 'loss',
    sunk: 'loss',
    sinking: 'loss',
    tanked: 'loss',
    tanking: 'loss',
    plunged: 'loss',
    plunging: 'loss',
    slumped: 'loss',
    crashing: 'loss',
    crash: 'loss',
    nosedived: 'loss',
    dropping: 'loss',
    falling: 'loss',
    losing: 'loss',
    declined: 'loss',
    shed: 'loss',
    'hardest hit': 'loss',
    'hit hardest': 'loss',
    'in the red': 'loss',
    losers: 'loss',
    loser: 'loss',
    lost: 'loss',
    fallers: 'loss',
    dumping: 'loss',
    dumped: 'loss',
    down: 'loss',
    fallen: 'loss',
    fell: 'loss',
    dropped: 'loss',
    worst: 'loss',
    bleeding: 'loss',
    crashed: 'loss',
    volume: 'volume',
    turnover: 'volume',
    traded: 'volume',
    liquid: 'volume',
    active: 'volume',
  },
  scanSort: {
    volume: 'volume',
    liquid: 'volume',
    traded: 'volume',
    'by (24) change': 'change24h',
    change: 'change24h',
    changed: 'change24h',
    moved: 'change24h',
    gain: 'change24h',
    gains: 'change24h',
    gained: 'change24h',
    return: 'change24h',
    returns: 'change24h',
    performance: 'change24h',
    longest: 'days_in_state',
    oldest: 'days_in_state',
    age: 'days_in_state',
    'days in state': 'days_in_state',
    'by days': 'days_in_state',
    'by how long': 'days_in_state',
    'longest first': 'days_in_state',
    'oldest first': 'days_in_state',
  },
  groupBy: groupings({
    asset: ['asset', 'coin', 'token', 'symbol', 'pair', 'crypto', 'ticker'],
    exchange: ['exchange', 'venue', 'broker', 'platform'],
    channel: ['channel', 'provider', 'group', 'caller', 'source'],
    day: ['day', 'date'],
  }),
  riskStyle: {
    tight: 'tight',
    tighter: 'tight',
    closer: 'tight',
    narrow: 'tight',
    conservative: 'tight',
    wide: 'wide',
    wider: 'wide',
    loose: 'wide',
    normal: 'normal',
    medium: 'normal',
    roomy: 'wide',
  },
  marginType: { isolated: 'ISOLATED', cross: 'CROSS' },
  account: {
    spot: 'SPOT',
    margin: 'MARGIN',
    futures: 'FUTURES',
    perp: 'FUTURES',
    perps: 'FUTURES',
    perpetual: 'FUTURES',
  },
  leaderboardRank: {
    'out of sample': 'oos_return',
    'out (-) of (-) sample': 'oos_return',
    oos: 'oos_return',
    sharpe: 'sharpe',
    'risk adjusted': 'sharpe',
    drawdown: 'max_drawdown',
    drawdowns: 'max_drawdown',
    excess: 'excess_return',
    'over holding': 'excess_return',
    'beat holding': 'excess_return',
    'beats holding': 'excess_return',
    'beat buy and hold': 'excess_return',
    'beats buy and hold': 'excess_return',
  },
  status: {
    'still waiting for their entry': 'entry_pending',
    'still waiting for entry': 'entry_pending',
    'still waiting for an entry': 'entry_pending',
    'still waiting to enter': 'entry_pending',
    'waiting for the entry': 'entry_pending',
    'waiting for an entry': 'entry_pending',
    'waiting to enter': 'entry_pending',
    'waiting to be entered': 'entry_pending',
    'waiting on entry': 'entry_pending',
    'not yet entered': 'entry_pending',
    'entry pending': 'entry_pending',
    'not been entered': 'entry_pending',
    'yet to be entered': 'entry_pending',
    'yet to enter': 'entry_pending',
    'wait for entry': 'entry_pending',
    'waiting for entry': 'entry_pending',
    'waiting for their entry': 'entry_pending',
    'pending entry': 'entry_pending',
    'not entered': 'entry_pending',
    open: 'open',
    'partially executed': 'partially_filled',
    'half filled': 'partially_filled',
    'partial fill': 'partially_filled',
    'filled in part': 'partially_filled',
    'in part': 'partially_filled',
    'partially filled': 'partially_filled',
    'partly filled': 'partially_filled',
    'partial fills': 'partially_filled',
    'to be filled': 'open',
    'not filled': 'open',
    unfilled: 'open',
    'not yet filled': 'open',
    'not been filled': 'open',
    'still waiting': 'open',
    'still resting': 'open',
    'still working': 'open',
    'still in the book': 'open',
    'on the book': 'open',
    outstanding: 'open',
    unexecuted: 'open',
    resting: 'open',
    'fully filled': 'filled',
    'completely filled': 'filled',
    'gone through': 'filled',
    'went through': 'filled',
    'got executed': 'filled',
    'were executed': 'filled',
    'been executed': 'filled',
    filled: 'filled',
    cancelled: 'cancelled',
    canceled: 'cancelled',
    'called off': 'cancelled',
    'taken back': 'cancelled',
    withdrawn: 'cancelled',
    revoked: 'cancelled',
    rejected: 'rejected',
    refused: 'rejected',
    declined: 'rejected',
    denied: 'rejected',
    failed: 'rejected',
    'order fail': 'rejected',
    bounced: 'rejected',
    rejects: 'rejected',
    rejections: 'rejected',
    'turned down': 'rejected',
    'turned away': 'rejected',
    'thrown out': 'rejected',
    'knocked back': 'rejected',
    'not accepted': 'rejected',
    'did not go through': 'rejected',
    'not get accepted': 'rejected',
    closed: 'closed',
    finished: 'closed',
    'wrapped up': 'closed',
    expired: 'expired',
    lapsed: 'expired',
    'ran out': 'expired',
    'run out': 'expired',
    'timed out': 'expired',
    expire: 'expired',
    'never triggered': 'expired',
    queued: 'queued',
    'in the queue': 'queued',
    'in line': 'queued',
    pending: 'open',
    'waiting in the book': 'open',
    'in the book': 'open',
    fail: 'rejected',
    failing: 'rejected',
    'unknown status': 'unknown',
    'status unknown': 'unknown',
    'unclear status': 'unknown',
    'unknown state': 'unknown',
  },
};

/** Words of groups behind those that group by them: "by coin", "for each exchange", "day by day". */
function groupings(
  names: Readonly<Record<NonNullable<Slots['groupBy']>, readonly string[]>>,
): Readonly<Record<string, NonNullable<Slots['groupBy']>>> {
  const entries = Object.entries(names).flatMap(([group, words]) =>
    words.flatMap((word) =>
      [
        ...groupers.map((each) => `${each} ${word}`),
        `by ${word}s`,
        `across ${word}s`,
        `${word} by ${word}`,
      ].map((each): [string, NonNullable<Slots['groupBy']>] => [
        each,
        group as NonNullable<Slots['groupBy']>,
      ]),
    ),
  );
  return {
    ...Object.fromEntries(entries),
    'which channel': 'channel',
    'which channels': 'channel',
    'which exchange': 'exchange',
    'which day': 'day',
  };
}

interface Choice {
  slot: SlotName;
  words: string;
  length: number;
  value: string;
}

const table: readonly Choice[] = Object.entries(choices).flatMap(([slot, values]) =>
  Object.entries(values as Readonly<Record<string, string>>).map(([words, value]) => ({
    slot: slot as SlotName,
    words,
    length: words.split(' ').length,
    value,
  })),
);

const byFirstWord = new Map<string, Choice[]>();
for (const each of table) {
  const [first] = each.words.split(' ');
  byFirstWord.set(
    first,
    [...(byFirstWord.get(first) ?? []), each].sort((a, b) => b.length - a.length),
  );
}

/** Words of these slots choose nothing: "cross" in "EMA cross", "hour" in "the last hour". */
const closed = new Set<SlotName>(['asset', 'channel', 'period', 'strategy', 'windowHours', 'conditions']);

/** Reads the values of arguments with few choices. The first that is named counts; words of a longer choice are one. */
export function readChoices(question: Question): void {
  let end = 0;
  question.tokens.forEach((_, at) => {
    if (at < end || isClosed(question, at)) return;
    for (const { slot, words, length, value } of byFirstWord.get(question.word(at)) ?? []) {
      if (question.phrase(at, length) !== words) continue;
      if (length > 1) end = at + length;
      if (question.slots[slot] !== undefined) continue;
      Object.assign(question.slots, { [slot]: value });
      question.noteChoice(slot, at, at + length);
      if (length > 1) return;
    }
  });
}

/** "Hourly" says how the chart is, and what a season is by; "4 hour" only the first. */
function isClosed(question: Question, at: number): boolean {
  const slot = question.slotAt(at);
  if (slot === 'interval') return !question.word(at).endsWith('ly');
  return slot !== undefined && closed.has(slot as SlotName);
}

/** The words of all choices, for the vocabulary. */
export const choiceWords: readonly string[] = table.flatMap(({ words }) => words.split(' '));
