import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  referenceFeePercent,
  referenceOutcome,
  type ReferenceSignal,
} from '../../../compute/ledger/reference-outcome.js';
import { createCandles, type Candles } from '../../../compute/model/candles.js';

/** What one path of prices brings: null for a signal that nothing was bought of. */
type PathProfit = { isOver: boolean; invested: number; profit: number; risk: number } | null;

interface Tick {
  price: number;
  /** When the candle of the tick opens. */
  time: number;
  isOpen: boolean;
}

/**
 * The profit of a signal on every path that whole-numbered candles leave open: each goes to its high or to its low first. A path
 * passes every whole number on its way, so each level is met by a tick; only an open may jump.
 */
function tickOutcomes(signal: ReferenceSignal, candles: Candles, feePercent: number): PathProfit[] {
  const count = candles.time.length;
  return Array.from({ length: 2 ** count }, (_, choice) => {
    const ticks: Tick[] = [];
    for (let n = 0; n < count; n++) {
      const isHighFirst = ((choice >> n) & 1) === 1;
      const { open, high, low, close } = candles;
      const turns = isHighFirst ? [high[n], low[n]] : [low[n], high[n]];
      let price = open[n];
      ticks.push({ price, time: candles.time[n], isOpen: true });
      for (const end of [...turns, close[n]])
        while (price !== end) {
          price += Math.sign(end - price);
          ticks.push({ price, time: candles.time[n], isOpen: false });
        }
    }
    return walk(signal, ticks, feePercent);
  });
}

function walk(signal: ReferenceSignal, ticks: readonly Tick[], feePercent: number): PathProfit {
  const isLong = signal.side === 'long';
  const isBeyond = (price: number, level: number) => (isLong ? price >= level : price <= level);
  const isWorse = (price: number, level: number) => (isLong ? price <= level : price >= level);
  let [held, cost, risk, income, turnover] = [0, 0, 0, 0, 0];
  let targets = [...signal.targets];
  let entries = [...signal.entries];
  const firstTime = ticks.find(({ time }) => time >= signal.createdAt)?.time;
  const sell = (price: number, quantity: number) => {
    income += quantity * price;
    turnover += quantity * price;
    held -= quantity;
  };
  const result = (isOver: boolean): PathProfit => {
    if (cost === 0) return null;
    const profit = (isLong ? income - cost : cost - income) - (turnover * feePercent) / 100;
    return { isOver, invested: cost, profit, risk };
  };
  let last = 0;
  for (const { price, time, isOpen } of ticks) {
    if (time < signal.createdAt) continue;
    last = price;
    const hasBought = cost > 0;
    const isAtStop = signal.stopLoss !== null && isWorse(price, signal.stopLoss);
    const isCancelled = isOpen && signal.cancelledAt !== null && time >= signal.cancelledAt;
    if (hasBought && (isAtStop || isCancelled)) {
      sell(price, held);
      return result(true);
    }
    if (isCancelled || (!hasBought && (isAtStop || (targets.length > 0 && isBeyond(price, targets[0])))))
      return null;
    while (hasBought && targets.length > 0 && isBeyond(price, targets[0])) {
      sell(price, held / targets.length);
      targets = targets.slice(1);
      entries = [];
      if (targets.length === 0) return result(true);
    }
    if (isOpen && time !== firstTime && signal.entriesEndAt !== null && time >= signal.entriesEndAt)
      entries = [];
    for (const entry of entries) {
      const isInZone =
        isWorse(price, entry.price) && (entry.zoneEnd === null || isBeyond(price, entry.zoneEnd));
      if (!isInZone) continue;
      const quantity = entry.percent / price;
      held += quantity;
      cost += entry.percent;
      turnover += entry.percent;
      if (signal.stopLoss !== null) risk += quantity * Math.abs(price - signal.stopLoss);
      entries = entries.filter((other) => other !== entry);
    }
  }
  sell(last, held);
  return result(false);
}

const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 5);

/** Candles of an hour from rows of open, high, low and close. */
function candlesOf(rows: readonly (readonly [number, number, number, number])[]): Candles {
  const candles = createCandles(rows.length);
  for (const [n, [open, high, low, close]] of rows.entries()) {
    candles.time[n] = start + n * hourMs;
    candles.open[n] = open;
    candles.high[n] = high;
    candles.low[n] = low;
    candles.close[n] = close;
  }
  return candles;
}

const long: ReferenceSignal = {
  side: 'long',
  leverage: 1,
  entries: [{ price: 100, zoneEnd: 95, percent: 100 }],
  targets: [110, 120],
  stopLoss: 90,
  createdAt: start,
  entriesEndAt: null,
  cancelledAt: null,
};

/** The same upside down around 100. */
const short: ReferenceSignal = {
  ...long,
  side: 'short',
  entries: [{ price: 100, zoneEnd: 105, percent: 100 }],
  targets: [90, 80],
  stopLoss: 110,
};

/** Returns without fees, to compare with round numbers. */
const gross = (signal: ReferenceSignal, rows: Parameters<typeof candlesOf>[0], sold: number) => {
  const outcome = referenceOutcome(signal, candlesOf(rows));
  const fees = (referenceFeePercent * (100 + sold)) / 100;
  return [outcome.state, outcome.returnPercent! + fees];
};
const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));

describe('referenceOutcome', () => {
  it('buys at the entry, sells a half at each target, and ends', () => {
    const rows = [
      [102, 103, 99, 101],
      [101, 112, 100, 111],
      [111, 125, 111, 124],
    ] as const;
    // 1 at 100: a half at 110, a half at 120.
    const [state, returnPercent] = gross(long, rows, 115);
    assert.equal(state, 'closed');
    assert.ok(isNear(returnPercent as number, 15), String(returnPercent));
    const { r, at } = referenceOutcome(long, candlesOf(rows));
    assert.ok(isNear(r!, (15 - 0.215) / 10));
    assert.equal(at, start + 2 * hourMs);
  });

  it('takes the stop first where a candle reaches both, a gap at its open, and the same for a short', () => {
    const both = [
      [100, 100, 100, 100],
      [100, 130, 85, 120],
    ] as const;
    assert.deepEqual(gross(long, both, 90), ['closed', -10]);
    const gap = [
      [100, 100, 100, 100],
      [70, 75, 65, 70],
    ] as const;
    const [state, loss] = gross(long, gap, 70);
    assert.deepEqual([state, Math.round(loss as number)], ['closed', -30]);
    const [shortState, shortLoss] = gross(
      short,
      [
        [100, 100, 100, 100],
        [100, 115, 70, 80],
      ],
      110,
    );
    assert.deepEqual([shortState, Math.round(shortLoss as number)], ['closed', -10]);
  });

  it('leaves a signal out whose target or stop came first, that expired or was cancelled, and waits otherwise', () => {
    const state = (more: Partial<ReferenceSignal>, rows: Parameters<typeof candlesOf>[0]) =>
      referenceOutcome({ ...long, ...more }, candlesOf(rows));
    const nothing = { returnPercent: null, r: null };
    const above = [105, 106, 104, 105] as const;
    assert.deepEqual(state({}, [above]), { state: 'waiting', at: start, ...nothing });
    assert.deepEqual(state({}, []), { state: 'waiting', at: null, ...nothing });
    assert.equal(state({}, [above, [105, 112, 104, 105]]).state, 'missed');
    assert.equal(state({}, [above, [89, 91, 88, 90]]).state, 'missed');
    assert.equal(state({ entriesEndAt: start + hourMs }, [above, [100, 100, 100, 100]]).state, 'expired');
    assert.equal(state({ cancelledAt: start + 1 }, [above, [100, 100, 100, 100]]).state, 'expired');
    // Candles from before the signal do not count.
    assert.equal(state({ createdAt: start + 1 }, [[100, 100, 100, 100], above]).state, 'waiting');
  });

  const price = fc.integer({ min: 5, max: 30 });
  const anyCandles = fc
    .array(fc.tuple(price, price, price, price), { minLength: 1, maxLength: 6 })
    .map((drawn) =>
      candlesOf(
        drawn.map(([open, close, one, other]) => {
          const all = [open, close, one, other];
          return [open, Math.max(...all), Math.min(...all), close] as const;
        }),
      ),
    );
  const anyTime = fc.option(fc.integer({ min: 1, max: 5 }).map((hours) => start + hours * hourMs));
  const anySignal = fc
    .record({
      side: fc.constantFrom('long' as const, 'short' as const),
      levels: fc.uniqueArray(fc.integer({ min: 1, max: 35 }), { minLength: 6, maxLength: 6 }),
      hasZone: fc.boolean(),
      hasStop: fc.boolean(),
      entriesEndAt: anyTime,
      cancelledAt: anyTime,
    })
    .map(({ side, levels, hasZone, hasStop, ...times }): ReferenceSignal => {
      const [stop, low, mid, high, ...targets] = [...levels].sort((one, other) =>
        side === 'long' ? one - other : other - one,
      );
      return {
        ...{ side, leverage: 3, targets, createdAt: start, stopLoss: hasStop ? stop : null, ...times },
        entries: hasZone
          ? [{ price: high, zoneEnd: low, percent: 100 }]
          : [
              { price: high, zoneEnd: null, percent: 40 },
              { price: mid, zoneEnd: null, percent: 60 },
            ],
      };
    });
  const returnOf = ({ invested, profit }: { invested: number; profit: number }) => (300 * profit) / invested;

  it('is what every path of ticks brings that its candles leave open, where all bring the same', () => {
    let agreed = 0;
    fc.assert(
      fc.property(anySignal, anyCandles, (signal, candles) => {
        const paths = tickOutcomes(signal, candles, referenceFeePercent);
        const { returnPercent, r, state } = referenceOutcome(signal, candles);
        if (paths.every((path) => path === null)) assert.equal(returnPercent, null);
        const [first] = paths;
        if (paths.some((path) => !isSame(path, first))) return;
        agreed++;
        if (first === null) return assert.equal(returnPercent, null);
        assert.ok(isNear(returnPercent!, returnOf(first)), `${returnPercent} ${returnOf(first)}`);
        assert.equal(state, first.isOver ? 'closed' : 'open');
        if (first.risk > 0) assert.ok(isNear(r!, first.profit / first.risk), `${r}`);
      }),
      { numRuns: 3_000 },
    );
    assert.ok(agreed > 1_000, `only ${agreed} compared`);
  });

  it('is the worst path of ticks for a signal that is bought at once', () => {
    fc.assert(
      fc.property(anySignal, anyCandles, (drawn, candles) => {
        const isLong = drawn.side === 'long';
        const signal = {
          ...{ ...drawn, cancelledAt: null, entriesEndAt: null },
          entries: [{ price: isLong ? 40 : 1, zoneEnd: null, percent: 100 }],
        };
        const paths = tickOutcomes(signal, candles, referenceFeePercent);
        const { returnPercent } = referenceOutcome(signal, candles);
        if (paths[0] === null) return assert.equal(returnPercent, null);
        const worst = Math.min(...paths.map((path) => returnOf(path!)));
        assert.ok(isNear(returnPercent!, worst), `${returnPercent} instead of ${worst}`);
      }),
      { numRuns: 2_000 },
    );
  });
});

const isSame = (
  one: ReturnType<typeof tickOutcomes>[number],
  other: ReturnType<typeof tickOutcomes>[number],
): boolean =>
  one === null || other === null
    ? one === other
    : one.isOver === other.isOver && isNear(one.profit / one.invested, other.profit / other.invested);
