import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type TradeFill, type ClosedTrade, tradeResult } from '../../../compute/ledger/trade-result.js';
import { Decimal } from '../../../compute/model/decimal.js';

/** A trade with figures as text; `fee` is in quote units. */
interface PlainFill {
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  baseFee: string;
  fee: string;
}

/** An exact fraction. */
type Fraction = readonly [above: bigint, below: bigint];

const fraction = (text: string): Fraction => {
  const [whole, part = ''] = text.split('.');
  return [BigInt(whole + part), 10n ** BigInt(part.length)];
};
const reduced = ([above, below]: Fraction): Fraction => {
  let [one, other] = [above < 0n ? -above : above, below];
  while (other !== 0n) [one, other] = [other, one % other];
  return one === 0n ? [0n, 1n] : [above / one, below / one];
};
const add = (one: Fraction, other: Fraction): Fraction =>
  reduced([one[0] * other[1] + other[0] * one[1], one[1] * other[1]]);
const negative = ([above, below]: Fraction): Fraction => [-above, below];
const times = (one: Fraction, other: Fraction): Fraction => reduced([one[0] * other[0], one[1] * other[1]]);
const over = (one: Fraction, other: Fraction): Fraction =>
  times(one, other[0] < 0n ? [-other[1], -other[0]] : [other[1], other[0]]);
const sign = ([above]: Fraction): number => (above < 0n ? -1 : Number(above > 0n));
const zero: Fraction = [0n, 1n];

/** A fraction as a float with 30 digits behind the point looked at. */
const asNumber = ([above, below]: Fraction): number => {
  const scaled = (above * 10n ** 30n) / below;
  const text = String(scaled < 0n ? -scaled : scaled).padStart(31, '0');
  return (scaled < 0n ? -1 : 1) * Number(`${text.slice(0, -30)}.${text.slice(-30)}`);
};

/**
 * Profit of trades by average price, in exact fractions and by unit price instead of by total cost: the slow way, apart from
 * the code under test. `quoteChange`: what the quote balance has changed by. `isOnlyFromHere`: whether nothing was taken from
 * elsewhere.
 */
function averageCostModel(fills: readonly PlainFill[]): {
  profit: number;
  quoteChange: number;
  isOnlyFromHere: boolean;
} {
  let held = zero;
  let unitCost = zero;
  let profit = zero;
  let quoteChange = zero;
  let isOnlyFromHere = true;
  for (const { side, quantity, price, baseFee, fee } of fills) {
    const value = times(fraction(quantity), fraction(price));
    const signed = side === 'buy' ? fraction(quantity) : negative(fraction(quantity));
    const change = add(signed, negative(fraction(baseFee)));
    const money = add(side === 'buy' ? negative(value) : value, negative(fraction(fee)));
    quoteChange = add(quoteChange, money);
    const after = add(held, change);
    if (sign(held) * sign(change) >= 0) {
      unitCost = sign(after) === 0 ? zero : over(add(times(held, unitCost), negative(money)), after);
      held = after;
      continue;
    }
    const isBeyond = sign(after) * sign(held) < 0;
    const closed = isBeyond ? negative(held) : change;
    // Sold for the money, bought for the unit cost.
    profit = add(profit, add(money, times(closed, unitCost)));
    if (isBeyond) {
      profit = add(profit, times(after, fraction(price)));
      isOnlyFromHere = false;
    }
    held = isBeyond ? zero : after;
  }
  return { profit: asNumber(profit), quoteChange: asNumber(quoteChange), isOnlyFromHere };
}

const d = (text: string) => Decimal.parse(text);
const day = Date.UTC(2026, 0, 5);

const fill = (
  side: 'buy' | 'sell',
  quantity: string,
  price: string,
  more: Partial<TradeFill> = {},
): TradeFill => ({
  side,
  quantity: d(quantity),
  price: d(price),
  baseFee: Decimal.zero,
  quoteFee: Decimal.zero,
  otherFees: [],
  at: day,
  signalPrice: null,
  deliveryPrice: null,
  ...more,
});

const trade = (fills: TradeFill[], more: Partial<ClosedTrade> = {}): ClosedTrade => ({
  side: 'long',
  leverage: 1,
  base: 'BTC',
  quote: 'USDT',
  fills,
  funding: Decimal.zero,
  payments: [],
  initialStop: null,
  ...more,
});

/** The result with decimals as text. */
const plain = (closed: ClosedTrade): unknown =>
  JSON.parse(
    JSON.stringify(tradeResult(closed), (_, value: unknown) =>
      value instanceof Decimal ? value.toString() : value,
    ),
  );

describe('tradeResult', () => {
  it('tells everything of a long that was bought twice and sold twice, with fees in three assets', () => {
    const bnb = { asset: 'BNB', amount: d('0.01'), value: d('6') };
    const closed = trade(
      [
        fill('buy', '1', '100', { baseFee: d('0.001'), signalPrice: d('99'), deliveryPrice: d('95') }),
        fill('buy', '1', '90', { quoteFee: d('0.9'), signalPrice: d('90') }),
        fill('sell', '0.999', '120', { otherFees: [bnb], at: day + 86_400_000, signalPrice: d('120') }),
        fill('sell', '1', '130', { quoteFee: d('1.3'), at: day + 2 * 86_400_000 }),
      ],
      { initialStop: d('85') },
    );
    // Cost 100 + 90.9 for 1.999; 0.999 of it costs 190.9 * 0.999 / 1.999 = 95.402251125562781391.
    assert.deepEqual(plain(closed), {
      profit: '51.68',
      days: [
        { day: '2026-01-06', profit: '18.477748874437218609' },
        { day: '2026-01-07', profit: '33.202251125562781391' },
      ],
      fees: [
        { asset: 'BTC', amount: '0.001', value: '0.1' },
        { asset: 'USDT', amount: '2.2', value: '2.2' },
        { asset: 'BNB', amount: '0.01', value: '6' },
      ],
      ...{ funding: '0', payments: [] },
      entered: '2',
      exited: '1.999',
      averageEntry: '95',
      averageExit: '125.002501250625312656',
      invested: '190',
      returnPercent: 27.2,
      r: 2.584,
      entrySlippagePercent: 0.5291005291005291,
      exitSlippagePercent: 0,
      // 1 at 100 instead of 95; the second has no such price.
      deliverySlippagePercent: 5.2631578947368425,
      left: '0',
      openedAt: day,
      closedAt: day + 2 * 86_400_000,
    });
  });

  it('tells a short with leverage and funding: profit is what sales brought in less what it cost to buy back', () => {
    const closed = trade(
      [
        fill('sell', '2', '100', { quoteFee: d('0.2'), signalPrice: d('101') }),
        fill('buy', '2', '90', { quoteFee: d('0.18'), signalPrice: d('90') }),
      ],
      { side: 'short', leverage: 10, funding: d('-0.5'), initialStop: d('105') },
    );
    const result = tradeResult(closed);
    assert.deepEqual(
      [result.profit.toString(), result.invested.toString(), result.returnPercent, result.r],
      ['19.12', '20', 95.6, 1.912],
    );
    assert.deepEqual(
      [result.entrySlippagePercent, result.exitSlippagePercent, result.left.toString()],
      [(100 * 2) / 202, 0, '0'],
    );
  });

  it('leaves the cost of dust out of the profit', () => {
    const result = tradeResult(
      trade([fill('buy', '1', '100', { baseFee: d('0.001') }), fill('sell', '0.99', '110')]),
    );
    assert.deepEqual([result.left.toString(), result.profit.toString()], ['0.009', '9.800900900900900901']);
  });

  it('has no R multiple without a stop or for an entry beyond it', () => {
    const fills = [fill('buy', '1', '100'), fill('sell', '1', '110')];
    assert.equal(tradeResult(trade(fills)).r, null);
    assert.equal(tradeResult(trade(fills, { initialStop: d('100') })).r, null);
    assert.equal(tradeResult(trade(fills, { initialStop: d('101') })).r, null);
    assert.equal(tradeResult(trade(fills, { initialStop: d('95') })).r, 2);
  });

  it('names a fee whose value is unknown, and does not count it', () => {
    const unknown = { asset: 'KCS', amount: d('1'), value: null };
    const { profit, fees } = tradeResult(
      trade([fill('buy', '1', '100', { otherFees: [unknown] }), fill('sell', '1', '100')]),
    );
    assert.deepEqual([profit.toString(), fees], ['0', [unknown]]);
  });

  it('has the result of an entry of which nothing was sold: no profit, and its fees', () => {
    const { profit, days, exited, averageExit, returnPercent } = tradeResult(
      trade([fill('buy', '1', '100', { quoteFee: d('0.1') })]),
    );
    assert.deepEqual(
      [profit.toString(), days, exited.toString(), averageExit, returnPercent],
      ['0', [], '0', null, 0],
    );
  });

  const amount = (places: number, max: number, min = 1) =>
    fc.integer({ min, max }).map((units) => d(String(units)).dividedBy(power(places), places, 'floor'));
  const power = (places: number) => d(`1${'0'.repeat(places)}`);
  const fee = amount(6, 1_000_000);
  const anyFill = fc.record({
    isEntry: fc.boolean(),
    quantity: amount(4, 50_000, 10),
    price: amount(2, 10_000_000),
    baseFee: fc.oneof(fc.constant(Decimal.zero), amount(8, 10_000)),
    quoteFee: fc.oneof(fc.constant(Decimal.zero), fee),
    otherFee: fc.oneof(fc.constant(Decimal.zero), fee),
    at: fc.integer({ min: 0, max: 5 * 86_400_000 }),
  });

  for (const side of ['long', 'short'] as const)
    it(`agrees to 1e-8 with exact fractions and with the change of the quote balance, ${side}`, () => {
      const entrySide = side === 'long' ? 'buy' : 'sell';
      const exitSide = side === 'long' ? 'sell' : 'buy';
      fc.assert(
        fc.property(fc.array(anyFill, { minLength: 1, maxLength: 12 }), (drawn) => {
          const fills = drawn
            .map(({ isEntry, otherFee, at, ...rest }): TradeFill => ({
              ...rest,
              side: isEntry ? entrySide : exitSide,
              otherFees: [{ asset: 'BNB', amount: otherFee, value: otherFee }],
              at: day + at,
              ...{ signalPrice: null, deliveryPrice: null },
            }))
            .sort((one, other) => one.at - other.at);
          const result = tradeResult(trade(fills, { side }));
          const model = averageCostModel(fills.map(plainFill));
          assert.ok(isNear(Number(result.profit.toString()), model.profit), `${model.profit}`);
          assert.ok(isNear(sumOf(result.days.map(({ profit }) => profit)), model.profit));
          if (result.left.sign === 0 && model.isOnlyFromHere)
            assert.ok(isNear(Number(result.profit.toString()), model.quoteChange));
        }),
        { numRuns: 500 },
      );
    });

  it('counts payments on their own day, and what fills tell of funding on the last', () => {
    const payment = (id: string, value: string, at: number) => {
      return { id, asset: 'USDT', amount: Decimal.parse(value), value: Decimal.parse(value), at };
    };
    const dayMs = 86_400_000;
    const { profit, funding, days } = tradeResult(
      trade([fill('buy', '1', '100'), fill('sell', '1', '100', { at: day + 2 * dayMs })], {
        funding: Decimal.parse('-0.25'),
        payments: [payment('a', '-1', day + 1), payment('b', '3', day + dayMs)],
      }),
    );
    assert.deepEqual([profit.toString(), funding.toString()], ['1.75', '1.75']);
    assert.deepEqual(
      days.map((each) => [each.day, each.profit.toString()]),
      [
        ['2026-01-05', '-1'],
        ['2026-01-06', '3'],
        ['2026-01-07', '-0.25'],
      ],
    );
  });
});

const plainFill = ({ side, quantity, price, baseFee, quoteFee, otherFees }: TradeFill): PlainFill => ({
  side,
  quantity: quantity.toString(),
  price: price.toString(),
  baseFee: baseFee.toString(),
  fee: quoteFee.plus(otherFees[0].value!).toString(),
});

const sumOf = (values: readonly Decimal[]): number =>
  Number(values.reduce((sum, value) => sum.plus(value), Decimal.zero).toString());

const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= Math.max(1e-8, 1e-14 * Math.abs(other));
