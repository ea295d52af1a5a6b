import type { SlotName, Slots } from '../slots.js';
import type { Question } from './question.js';

/** Words that choose one of the few values of an argument. They stay words, too: they say what is asked. */
const choices: { [Name in SlotName]?: Readonly<Record<string, NonNullable<Slots[Name]>>> } = {
  by: {
    hour: 'hour',
    hours: 'hour',
    hourly: 'hour',
    'time of day': 'hour',
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
    traded: 'volume',
    liquid: 'volume',
    active: 'volume',
  },
  groupBy: {
    'by asset': 'asset',
    'by coin': 'asset',
    'per coin': 'asset',
    'per asset': 'asset',
    'each coin': 'asset',
    'by exchange': 'exchange',
    'per exchange': 'exchange',
    'each exchange': 'exchange',
    'by channel': 'channel',
    'per channel': 'channel',
    'each channel': 'channel',
    'by day': 'day',
    'per day': 'day',
    'each day': 'day',
    'day by day': 'day',
  },
  riskStyle: {
    tight: 'tight',
    narrow: 'tight',
    conservative: 'tight',
    wide: 'wide',
    loose: 'wide',
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
    'wait for entry': 'entry_pending',
    'waiting for entry': 'entry_pending',
    'waiting for their entry': 'entry_pending',
    'pending entry': 'entry_pending',
    'not entered': 'entry_pending',
    open: 'open',
    'partially filled': 'partially_filled',
    'partly filled': 'partially_filled',
    'waiting to be filled': 'open',
    'not filled': 'open',
    unfilled: 'open',
    filled: 'filled',
    cancelled: 'cancelled',
    canceled: 'cancelled',
    rejected: 'rejected',
    closed: 'closed',
    expired: 'expired',
    queued: 'queued',
    pending: 'open',
  },
};

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

/** Reads the values of arguments with few choices. The first that is named counts. */
export function readChoices(question: Question): void {
  question.tokens.forEach((_, at) => {
    for (const { slot, words, length, value } of byFirstWord.get(question.word(at)) ?? [])
      if (question.slots[slot] === undefined && question.phrase(at, length) === words) {
        Object.assign(question.slots, { [slot]: value });
        question.noteChoice(slot, at, at + length);
      }
  });
}

/** The words of all choices, for the vocabulary. */
export const choiceWords: readonly string[] = table.flatMap(({ words }) => words.split(' '));
