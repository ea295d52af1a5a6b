import type { Candles } from '../model/candles.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { decision, type RuleDecisions } from '../rules/decide-rules.js';
import { order } from '../rules/screen-condition.js';
import type { RuleSize, StrategyRules } from '../rules/strategy-rules.js';
import type { Costs, Run, Trade } from './engine.js';
import { entryBudget } from './entry-budget.js';
import {
  broughtBack,
  exitWithin,
  followBest,
  ruleLevels,
  setQuietRange,
  worthAt,
  type ExitReason,
  type RulePosition,
} from './rule-position.js';

/** A closed trade; its indexes are of candles of the asset. */
export interface RuleTrade extends Omit<Trade, 'exitReason'> {
  asset: number;
  /** 1: long; -1: short. */
  way: number;
  quantity: number;
  /** Candles that began with the position open. */
  candles: number;
  exitReason: ExitReason;
}

/** How many entries were made, and why others were not. */
export interface EntryCounts {
  taken: number;
  /** Of those taken: entries whose budget was above the free cash. */
  cut: number;
  skippedCash: number;
  skippedFull: number;
  /** Closes on which both sides were to be entered. */
  conflict: number;
}

export interface RuleRun extends Omit<Run, 'trades'> {
  /** Open times of the candles of the window, of all assets. */
  time: Float64Array;
  trades: RuleTrade[];
  entries: EntryCounts;
}

/** An asset to trade: all its candles that had closed by the end of the window, and what is decided on them. */
export interface RuleAsset {
  candles: Candles;
  decisions: RuleDecisions;
}

export interface RuleAccount {
  rules: Pick<StrategyRules, 'long' | 'short' | 'size'>;
  costs: Costs;
  /** What a short pays for each candle, as a fraction of its price of entry. */
  carryRate: number;
  initialEquity: number;
  maxPositions: number;
  /** Whether entries of one open go by the highest value of the rank column first. */
  ranksHighest: boolean;
  perYear: number;
}

/** An asset during a run. */
interface Place {
  index: number;
  candles: Candles;
  decisions: RuleDecisions;
  time: Float64Array;
  bits: Uint8Array;
  /** Index of the first candle on whose close it may decide, and of its last candle, on which it does not. */
  begin: number;
  last: number;
  /** Index of its next candle; where it has one at this time, that one. */
  at: number;
  isHere: boolean;
  position: RulePosition | null;
  exitDue: 'signal' | 'time' | null;
  /** The way of the entry at the next open; 0: none. */
  entryDue: number;
}

/** The cash, what is open, and what has happened. */
interface Book {
  account: RuleAccount;
  size: RuleSize;
  places: readonly Place[];
  cash: number;
  /** How many positions are open, and how many exits and entries are due at the next opens. */
  open: number;
  due: number;
  trades: RuleTrade[];
  entries: EntryCounts;
}

/**
 * Trades rules on one or several assets from the time `fromMs` to their last candles. The order within a time: exits at the
 * open, entries, the candle of every asset, marks, decisions. An asset decides from its first candle in the window on which
 * every column has a value.
 */
export function tradeRules(
  assets: readonly RuleAsset[],
  account: RuleAccount,
  fromMs: number,
  scratch?: ScratchBuffers,
): RuleRun {
  const places = assets.map((asset, index) => placeOf(asset, index, fromMs));
  const time = unionOfTimes(places);
  const size = account.rules.size ?? { kind: 'percent', value: 100 / account.maxPositions };
  const entries = { taken: 0, cut: 0, skippedCash: 0, skippedFull: 0, conflict: 0 };
  const book: Book = {
    account,
    size,
    places,
    cash: account.initialEquity,
    open: 0,
    due: 0,
    trades: [],
    entries,
  };
  const column = () => scratch?.column(time.length) ?? new Float64Array(time.length);
  const [equity, lowestEquity] = [column(), column()];
  let candlesHeld = 0;
  for (let n = 0; n < time.length; n++) {
    if (places.length === 1 && book.due === 0) {
      const [place] = places;
      const { position, at } = place;
      if (position) holdOn(book, place, position, equity, lowestEquity, n);
      else waitOn(place);
      const passed = place.at - at;
      if (position) candlesHeld += passed;
      else {
        equity.fill(book.cash, n, n + passed);
        lowestEquity.fill(book.cash, n, n + passed);
      }
      n += passed;
      if (n === time.length) break;
    }
    for (const place of places) place.isHere = place.time[place.at] === time[n];
    if (book.due > 0) {
      for (const place of places) if (place.isHere && place.exitDue !== null) exitAtOpen(book, place);
      enterAtOpen(book);
    }
    let ended = 0;
    let hasEnded = false;
    if (book.open > 0)
      for (const place of places)
        if (place.isHere && place.position) {
          const lost = passCandle(book, place, place.position);
          if (lost !== null) {
            hasEnded = true;
            ended += lost;
          }
        }
    equity[n] = lowestEquity[n] = book.cash;
    if (book.open > 0 || hasEnded) {
      candlesHeld++;
      mark(book, equity, lowestEquity, n, ended);
    }
    for (const place of places) {
      if (!place.isHere) continue;
      const { at } = place;
      const isOf = place.position !== null || (place.bits[at] & anyEntry) !== 0;
      if (isOf && at >= place.begin && at < place.last) decide(book, place);
      place.at++;
    }
  }
  return { time, equity, lowestEquity, trades: book.trades, candlesHeld, entries };
}

const anyEntry = decision.longEntry | decision.shortEntry;

/** Passes over the candles of an asset without a position on which nothing is decided. */
function waitOn(place: Place): void {
  const { bits, begin, last } = place;
  let { at } = place;
  while (at <= last && (at < begin || at >= last || (bits[at] & anyEntry) === 0)) at++;
  place.at = at;
}

/** Passes over the candles on which the only position neither meets a level nor is decided on, and marks them from `n` on. */
function holdOn(
  book: Book,
  place: Place,
  position: RulePosition,
  equity: Float64Array,
  lowest: Float64Array,
  n: number,
): void {
  const { account, cash } = book;
  const { bits, last } = place;
  const { high, low, close } = place.candles;
  const { way, entry, entryPrice, quantity, trailsFrom } = position;
  const isLong = way > 0;
  const { maxCandles } = (isLong ? account.rules.long : account.rules.short)!;
  const exit = isLong ? decision.longExit : decision.shortExit;
  const end = Math.min(last, maxCandles === null ? last : entry + maxCandles - 1);
  const step = isLong ? 0 : account.carryRate * quantity * entryPrice;
  let { carry, quietLow, quietHigh } = position;
  let { at } = place;
  for (; at < end && (bits[at] & exit) === 0 && low[at] > quietLow && high[at] < quietHigh; at++, n++) {
    if (trailsFrom !== 0) {
      followBest(position, high[at], low[at]);
      ({ quietLow, quietHigh } = position);
    }
    carry += step;
    // As `worthAt`, of values that don't change from candle to candle.
    const worth =
      cash + (isLong ? quantity * close[at] : Math.max(0, quantity * (2 * entryPrice - close[at]) - carry));
    const worst =
      cash + (isLong ? quantity * low[at] : Math.max(0, quantity * (2 * entryPrice - high[at]) - carry));
    equity[n] = worth;
    lowest[n] = Math.min(worst, worth);
  }
  position.carry = carry;
  place.at = at;
}

function placeOf({ candles, decisions }: RuleAsset, index: number, fromMs: number): Place {
  const at = firstFrom(candles.time, fromMs);
  const begin = firstReady(decisions, at);
  // Without a spread, for the reason that `paramsOf` gives.
  return {
    index,
    candles,
    decisions,
    time: candles.time,
    bits: decisions.bits,
    begin,
    last: candles.time.length - 1,
    at,
    isHere: false,
    position: null,
    exitDue: null,
    entryDue: 0,
  };
}

function firstFrom(time: Float64Array, fromMs: number): number {
  let at = 0;
  while (at < time.length && time[at] < fromMs) at++;
  return at;
}

/** The first candle from `from` on that every column has a value on; the number of candles if there is none. */
export function firstReady({ bits }: Pick<RuleDecisions, 'bits'>, from: number): number {
  let at = from;
  while (at < bits.length && (bits[at] & decision.ready) === 0) at++;
  return at;
}

/** The open times of the candles of all assets, each once. */
function unionOfTimes(places: readonly Place[]): Float64Array {
  if (places.length === 1) return places[0].candles.time.subarray(places[0].at);
  const next = places.map(({ at }) => at);
  const union = new Float64Array(places.reduce((sum, { last }, n) => sum + last + 1 - next[n], 0));
  let count = 0;
  for (;;) {
    let first = Infinity;
    for (let n = 0; n < places.length; n++) {
      const { time, last } = places[n];
      if (next[n] <= last && time[next[n]] < first) first = time[next[n]];
    }
    if (first === Infinity) return union.subarray(0, count);
    union[count++] = first;
    for (let n = 0; n < places.length; n++) if (places[n].time[next[n]] === first) next[n]++;
  }
}

function exitAtOpen(book: Book, place: Place): void {
  const { position, exitDue, candles, at } = place;
  if (position && exitDue) close(book, place, position, candles.open[at], exitDue, true, at - position.entry);
  if (exitDue) book.due--;
  place.exitDue = null;
}

/** Enters what was decided, by rank; the account is worth the same for all entries of one open. */
function enterAtOpen(book: Book): void {
  const due = book.places.filter(({ isHere, entryDue }) => isHere && entryDue !== 0);
  if (due.length === 0) return;
  if (due.length > 1) due.sort((a, b) => rankOf(a, book) - rankOf(b, book) || a.index - b.index);
  const equity = worthAtOpen(book);
  for (const place of due) {
    const way = place.entryDue;
    place.entryDue = 0;
    book.due--;
    if (book.open >= book.account.maxPositions) book.entries.skippedFull++;
    else if (book.cash <= equity / 10_000) book.entries.skippedCash++;
    else enter(book, place, way, equity);
  }
}

/** The place of an entry in the order; the last without a value. */
function rankOf({ decisions: { rank }, at }: Place, { account }: Book): number {
  const value = rank ? rank[at - 1] : 0;
  // Infinity - Infinity is NaN, which would not order anything.
  return Number.isNaN(value) ? Number.MAX_VALUE : account.ranksHighest ? -value : value;
}

function worthAtOpen({ places, cash }: Book): number {
  let worth = cash;
  for (const { position, candles, at, isHere } of places)
    if (position) worth += worthAt(position, isHere ? candles.open[at] : candles.close[at - 1]);
  return worth;
}

function enter(book: Book, place: Place, way: number, equity: number): void {
  const { account, size, cash } = book;
  const { candles, decisions, at } = place;
  const { feeRate, slippageRate } = account.costs;
  const side = (way > 0 ? account.rules.long : account.rules.short)!;
  const entryPrice = candles.open[at] * (1 + way * slippageRate);
  const levels = ruleLevels(side, way, entryPrice, decisions, at - 1);
  const entry = { way, entryPrice, stop: levels.stop, close: candles.close, signal: at - 1 };
  const budget = entryBudget(size, equity, entry, account.costs, account.perYear);
  const cost = Math.min(budget, cash);
  if (order(budget, cash) > 0) book.entries.cut++;
  book.entries.taken++;
  book.cash -= cost;
  book.open++;
  const position: RulePosition = {
    way,
    entry: at,
    entryPrice,
    quantity: cost / (entryPrice * (1 + feeRate)),
    cost,
    stop: levels.stop,
    target: levels.target,
    liquidation: levels.liquidation,
    trail: levels.trail,
    trailsShare: levels.trailsShare,
    trailsFrom: levels.trailsFrom,
    best: entryPrice,
    quietLow: 0,
    quietHigh: 0,
    carry: 0,
  };
  setQuietRange(position);
  place.position = position;
}

/**
 * What a candle does to an open position. Where the position is sold at its end, answers by how much its worst worth is
 * above what it brought; else null.
 */
function passCandle(book: Book, place: Place, position: RulePosition): number | null {
  const { candles, at } = place;
  const { way } = position;
  const [open, high, low] = [candles.open[at], candles.high[at], candles.low[at]];
  if (way < 0) position.carry += book.account.carryRate * position.quantity * position.entryPrice;
  const candlesOpen = at - position.entry + 1;
  const isQuiet = low > position.quietLow && high < position.quietHigh;
  const exit = isQuiet ? null : exitWithin(position, open, high, low);
  if (exit) {
    close(book, place, position, exit.price, exit.reason, exit.slips, candlesOpen);
    return null;
  }
  followBest(position, high, low);
  if (at < place.last) return null;
  const worst = worthAt(position, way > 0 ? low : high);
  const before = book.cash;
  close(book, place, position, candles.close[at], 'end', true, candlesOpen);
  return worst - (book.cash - before);
}

function close(
  book: Book,
  place: Place,
  position: RulePosition,
  price: number,
  exitReason: ExitReason,
  slips: boolean,
  candlesOpen: number,
): void {
  const { way, entry, entryPrice, quantity, cost } = position;
  const { costs } = book.account;
  const exitPrice = slips ? price * (1 - way * costs.slippageRate) : price;
  const proceeds = exitReason === 'liquidation' ? 0 : broughtBack(position, exitPrice, costs);
  book.cash += proceeds;
  book.open--;
  place.position = null;
  book.trades.push({
    asset: place.index,
    way,
    entry,
    exit: place.at,
    entryPrice,
    exitPrice,
    quantity,
    gain: proceeds - cost,
    returnRate: (proceeds - cost) / cost,
    candles: candlesOpen,
    exitReason,
  });
}

/** Marks the account at the close and at its worst. `ended`: what positions sold at the end were worth less at their worst. */
function mark(book: Book, equity: Float64Array, lowest: Float64Array, n: number, ended: number): void {
  let worth = book.cash;
  let worst = book.cash + ended;
  for (const { position, candles, at, isHere } of book.places) {
    if (!position) continue;
    const value = worthAt(position, candles.close[isHere ? at : at - 1]);
    worth += value;
    worst += isHere ? worthAt(position, position.way > 0 ? candles.low[at] : candles.high[at]) : value;
  }
  equity[n] = worth;
  lowest[n] = Math.min(worst, worth);
}

/** Decides on the close of a candle what happens at the next open. */
function decide(book: Book, place: Place): void {
  const { position, at } = place;
  const bits = place.bits[at];
  if (position) {
    const { long, short } = book.account.rules;
    const fires = (bits & (position.way > 0 ? decision.longExit : decision.shortExit)) !== 0;
    const most = (position.way > 0 ? long : short)!.maxCandles;
    if (fires) place.exitDue = 'signal';
    else if (most !== null && at - position.entry + 1 >= most) place.exitDue = 'time';
    else return;
    book.due++;
  }
  const closing = position ? position.way : 0;
  const isLong = (bits & (decision.longEntry | decision.longExit)) === decision.longEntry && closing <= 0;
  const isShort = (bits & (decision.shortEntry | decision.shortExit)) === decision.shortEntry && closing >= 0;
  if (isLong && isShort) book.entries.conflict++;
  else if (isLong || isShort) {
    place.entryDue = isLong ? 1 : -1;
    book.due++;
  }
}
