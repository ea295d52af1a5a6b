import { maxDrawdown } from '../metrics/drawdowns.js';
import { sharpe } from '../metrics/return-ratios.js';
import { standardDeviation } from '../metrics/moments.js';
import { Decimal } from '../model/decimal.js';

/** The value of an account at the start of a UTC day. Amounts are decimals as text, in the quote currency. */
export interface AccountEquity {
  exchange: string;
  /** YYYY-MM-DD. */
  day: string;
  value: string;
  /** What was paid in (above 0) or out since the previous snapshot. */
  flow: string;
  /** Assets without a price, in alphabetical order. They are not part of the value. */
  unpriced: readonly string[];
  /** The price of the benchmark at that time; null if it was unknown. */
  benchmark: string | null;
  /** The wallets beside SPOT that are part of the value; absent where they were not known. */
  wallets?: readonly { account: string }[];
  /** Accounts whose last reading failed. They count with their previous reading. */
  stale?: readonly string[];
  /** Accounts that were never read. They are not part of the value. */
  unread?: readonly string[];
}

/** All accounts at the start of a day. Percent means 5 for 5 %. */
export interface EquityDay {
  day: string;
  /** Whether it is the present value, and not that of the start of the day. */
  isNow: boolean;
  value: string;
  flow: string;
  /** 100 on the first day. Only returns change it, not what was paid in or out. */
  index: number;
  /** How far the index is below its highest value so far, 0 or below. */
  drawdownPercent: number;
  /** The benchmark, 100 on the first day with a price; null where there is none. */
  benchmarkIndex: number | null;
  /**
   * Wallets that could not be read, as in "BINANCE FUTURES". Each counts with its last reading; without one it does not count.
   */
  incomplete: string[];
}

/** The days, and figures for the time from the first day to the last. */
export interface EquityCurve {
  days: EquityDay[];
  returnPercent: number | null;
  maxDrawdownPercent: number | null;
  /** Standard deviation of the daily returns, annualised. */
  volatilityPercent: number | null;
  sharpe: number | null;
  benchmarkReturnPercent: number | null;
}

const daysOfYear = 365;

/**
 * The time-weighted return of all accounts together. The return of a day is that of Modified Dietz with flows in the middle of
 * the day, r = (V1 - V0 - F) / (V0 + F / 2), over the accounts that have a snapshot at both ends with prices of the same assets;
 * the returns are linked, (1 + r1)(1 + r2)... (Bacon, Practical Portfolio Performance Measurement and Attribution, 2008, chapter
 * 2). An account that is added or removed changes the value, not the return. An account of which a part could not be read has no
 * return on that day; its next complete snapshot is compared with its last complete one. `snapshots`: in the order of days. `now`:
 * the accounts at present; the day that is not over counts for the return, but not for volatility and Sharpe ratio.
 */
export function equityCurve(
  snapshots: readonly AccountEquity[],
  now: readonly AccountEquity[] = [],
): EquityCurve {
  const byDay = new Map<string, AccountEquity[]>();
  for (const each of snapshots) byDay.set(each.day, [...(byDay.get(each.day) ?? []), each]);
  const last = new Map<string, LastSnapshot>();
  const returns: number[] = [];
  const days: EquityDay[] = [];
  let [index, peak] = [100, 100];
  let firstPrice: number | null = null;
  let hasReturn = false;
  for (const accounts of [...byDay.values(), ...(now.length === 0 ? [] : [now])]) {
    const change = days.length === 0 ? null : dayReturn(accounts, last);
    if (change !== null && accounts !== now) returns.push(change);
    hasReturn ||= change !== null;
    index *= 1 + (change ?? 0);
    peak = Math.max(peak, index);
    const benchmark = accounts.find((each) => each.benchmark !== null)?.benchmark ?? null;
    firstPrice ??= benchmark === null ? null : Number(benchmark);
    days.push({
      day: accounts[0].day,
      isNow: accounts === now,
      value: total(accounts.map(({ value }) => value)).toString(),
      flow: total(accounts.map(({ flow }) => flow)).toString(),
      index,
      drawdownPercent: peak === 0 ? 0 : (index / peak - 1) * 100,
      benchmarkIndex: benchmark === null || !firstPrice ? null : (Number(benchmark) / firstPrice) * 100,
      incomplete: accounts.flatMap(unreadParts),
    });
    for (const each of accounts) note(each, last);
  }
  return {
    days,
    ...figuresOf(days, Float64Array.from(returns)),
    returnPercent: hasReturn ? index - 100 : null,
  };
}

/** The last complete snapshot of an account, and what was paid in or out since, according to later incomplete snapshots. */
interface LastSnapshot {
  whole: AccountEquity;
  flow: Decimal;
}

/** The return of the accounts that can be compared with their last complete snapshot; null if none can. */
function dayReturn(
  accounts: readonly AccountEquity[],
  last: ReadonlyMap<string, LastSnapshot>,
): number | null {
  const compared = accounts.flatMap((each) => {
    const known = last.get(each.exchange);
    const isAlike = known && isWhole(each, known) && isPricedAlike(known.whole, each);
    return isAlike ? [{ each, known }] : [];
  });
  const before = Number(total(compared.map(({ known }) => known.whole.value)).toString());
  const after = Number(total(compared.map(({ each }) => each.value)).toString());
  const flows = compared.map(({ each, known }) => known.flow.plus(Decimal.read(each.flow)));
  const flow = Number(Decimal.sum(flows).toString());
  const base = before + flow / 2;
  // Not below a total loss: a withdrawal of nearly everything could give less.
  return base <= 0 ? null : Math.max(-1, (after - before - flow) / base);
}

/** Stores a complete snapshot for the next comparison. Of an incomplete one only the flow is added to that since the last one. */
function note(each: AccountEquity, last: Map<string, LastSnapshot>): void {
  const known = last.get(each.exchange);
  if (isWhole(each, known)) last.set(each.exchange, { whole: each, flow: Decimal.zero });
  else if (known) last.set(each.exchange, { ...known, flow: known.flow.plus(Decimal.read(each.flow)) });
}

/** Whether the whole account was read. A snapshot without wallets is incomplete if the last one has them. */
const isWhole = ({ stale = [], wallets }: AccountEquity, known: LastSnapshot | undefined): boolean =>
  stale.length === 0 && (wallets !== undefined || known?.whole.wallets === undefined);

const isPricedAlike = (one: AccountEquity, other: AccountEquity): boolean =>
  one.unpriced.join(' ') === other.unpriced.join(' ');

const unreadParts = ({ exchange, stale = [], unread = [] }: AccountEquity): string[] =>
  [...stale, ...unread].map((account) => `${exchange} ${account}`);

function figuresOf(
  days: readonly EquityDay[],
  returns: Float64Array,
): Omit<EquityCurve, 'days' | 'returnPercent'> {
  const benchmarks = days.flatMap(({ benchmarkIndex }) => benchmarkIndex ?? []);
  const deviation = standardDeviation(returns);
  return {
    maxDrawdownPercent: maxDrawdown(Float64Array.from(days.map((each) => each.index))),
    volatilityPercent: Number.isNaN(deviation) ? null : deviation * Math.sqrt(daysOfYear) * 100,
    sharpe: sharpe(returns, daysOfYear),
    benchmarkReturnPercent: benchmarks.length < 2 ? null : benchmarks[benchmarks.length - 1] - 100,
  };
}

const total = (amounts: readonly string[]): Decimal =>
  Decimal.sum(amounts.map((amount) => Decimal.read(amount)));
