import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateDcaLadder, type DcaLadderParams } from '../../../compute/risk/dca-ladder.js';
import { arbitraryPositive } from '../../support/numbers/arbitrary-decimal.js';
import {
  add,
  divide,
  fraction,
  multiply,
  order,
  subtract,
  unitOf,
  type Fraction,
} from '../../support/numbers/fraction.js';

const defaults: DcaLadderParams = {
  firstPrice: '100',
  firstAmount: '1000',
  levels: [
    { buyPrice: '80', multiplier: '2' },
    { buyPrice: '90', multiplier: '1' },
  ],
  stop: null,
  feePercent: '0',
  step: '0.00000001',
};

const ladder = (params: Partial<DcaLadderParams>) => estimateDcaLadder({ ...defaults, ...params });

const arbitraryLadder = fc
  .record({
    prices: fc.uniqueArray(arbitraryPositive(5, 6), { minLength: 3, maxLength: 12, selector: Number }),
    firstAmount: arbitraryPositive(6, 2),
    multipliers: fc.array(fc.constantFrom('0.5', '1', '1.75', '3'), { minLength: 12, maxLength: 12 }),
    feePercent: fc.constantFrom('0', '0.1', '0.075', '3'),
    step: fc.constantFrom('0.00000001', '0.001'),
  })
  .map(({ prices, multipliers, ...rest }): DcaLadderParams => {
    const [firstPrice, ...others] = prices.sort((a, b) => Number(b) - Number(a));
    const stop = others.pop()!;
    const levels = others.map((buyPrice, n) => ({ buyPrice, multiplier: multipliers[n] }));
    return { ...rest, firstPrice, stop, levels: levels.reverse() };
  });

const sumOf = (values: readonly Fraction[]) => values.reduce(add, fraction('0'));

describe('estimateDcaLadder', () => {
  it('fills from the highest price down, and adds up', () => {
    const { fills, notes } = ladder({ feePercent: '0.1', stop: '70' });
    assert.deepEqual(notes, []);
    assert.deepEqual(fills[0], {
      price: '100',
      quantity: '10',
      spent: '1000',
      fee: '1',
      totalQuantity: '10',
      totalCost: '1001',
      averageEntry: '100',
      // 1001 / (10 * 0.999) = 100.2002002002...
      breakEven: '100.20020021',
      riseToBreakEvenPercent: '0.2003',
      // 1001 - 10 * 70 * 0.999.
      lossAtStop: '301.7',
      lossAtStopPercent: '30.1399',
    });
    assert.deepEqual(
      fills.map(({ price, quantity, totalQuantity, totalCost }) => [
        price,
        quantity,
        totalQuantity,
        totalCost,
      ]),
      [
        ['100', '10', '10', '1001'],
        ['90', '11.11111111', '21.11111111', '2001.9999998999'],
        ['80', '25', '46.11111111', '4003.9999998999'],
      ],
    );
  });

  it('needs a smaller rise after each fill than it has fallen', () => {
    const { fills } = ladder({ levels: [{ buyPrice: '50', multiplier: '1' }] });
    // 10 at 100 and 20 at 50: 2000 / 30.
    assert.equal(fills[1].averageEntry, '66.66666667');
    assert.equal(fills[1].breakEven, '66.66666667');
    assert.equal(fills[1].riseToBreakEvenPercent, '33.3334');
  });

  it('has no loss at a stop without one', () => {
    for (const { lossAtStop, lossAtStopPercent } of ladder({}).fills)
      assert.deepEqual([lossAtStop, lossAtStopPercent], [null, null]);
  });

  it('places no order for less than a step, and says so', () => {
    const { fills, notes } = ladder({ step: '15', levels: [{ buyPrice: '50', multiplier: '1' }] });
    assert.deepEqual(notes, ['1000 buys less than one step at 100: no order there']);
    assert.deepEqual(
      fills.map(({ quantity, averageEntry, breakEven, totalCost }) => [
        quantity,
        averageEntry,
        breakEven,
        totalCost,
      ]),
      [
        ['0', null, null, '0'],
        ['15', '50', '50', '750'],
      ],
    );
  });

  it('refuses what makes no ladder, with the field', () => {
    const level = (buyPrice: string, multiplier = '1') => [
      { buyPrice: '90', multiplier: '1' },
      { buyPrice, multiplier },
    ];
    for (const [params, field] of [
      [{ firstPrice: '0' }, 'firstPrice'],
      [{ firstPrice: 'x' }, 'firstPrice'],
      [{ firstAmount: '-1' }, 'firstAmount'],
      [{ levels: level('100') }, 'levels.1.buyPrice'],
      [{ levels: level('101') }, 'levels.1.buyPrice'],
      [{ levels: level('0') }, 'levels.1.buyPrice'],
      [{ levels: level('80', '0') }, 'levels.1.multiplier'],
      [{ stop: '80' }, 'stop'],
      [{ stop: '85' }, 'stop'],
      [{ stop: '0' }, 'stop'],
      [{ feePercent: '-1' }, 'feePercent'],
      [{ feePercent: '100' }, 'feePercent'],
      [{ step: '0' }, 'step'],
    ] as [Partial<DcaLadderParams>, string][])
      assert.throws(
        () => ladder(params),
        { code: 'invalid_input', details: { field } },
        JSON.stringify(params),
      );
  });

  it('is the sum of its fills, each the most that its amount pays for', () => {
    fc.assert(
      fc.property(arbitraryLadder, (params) => {
        const { fills } = estimateDcaLadder(params);
        const of = fraction;
        const amounts = new Map(
          params.levels.map(({ buyPrice, multiplier }) => [Number(buyPrice), multiplier]),
        );
        const rate = divide(of(params.feePercent), of('100'));
        fills.forEach((fill, n) => {
          const until = fills.slice(0, n + 1);
          assert.equal(order(of(fill.totalQuantity), sumOf(until.map(({ quantity }) => of(quantity)))), 0);
          const cost = sumOf(until.flatMap(({ spent, fee }) => [of(spent), of(fee)]));
          assert.equal(order(of(fill.totalCost), cost), 0);
          assert.equal(order(of(fill.spent), multiply(of(fill.quantity), of(fill.price))), 0);
          assert.equal(order(of(fill.fee), multiply(of(fill.spent), rate)), 0);
          const amount = multiply(of(params.firstAmount), of(amounts.get(Number(fill.price)) ?? '1'));
          assert.ok(order(of(fill.spent), amount) <= 0);
          const oneMore = multiply(add(of(fill.quantity), of(params.step)), of(fill.price));
          assert.ok(order(oneMore, amount) > 0);
          if (n > 0) assert.ok(Number(fill.price) <= Number(fills[n - 1].price));
        });
      }),
    );
  });

  it('has its average between the lowest and the highest fill, and its break-even at or above', () => {
    fc.assert(
      fc.property(arbitraryLadder, (params) => {
        for (const [n, fill] of estimateDcaLadder(params).fills.entries()) {
          if (fill.averageEntry === null) continue;
          const average = fraction(fill.averageEntry);
          assert.ok(order(average, fraction(params.firstPrice)) <= 0, `${n}`);
          assert.ok(order(average, fraction(fill.price)) >= 0);
          const spent = multiply(average, fraction(fill.totalQuantity));
          const coins = fraction(fill.totalQuantity);
          const rate = divide(fraction(params.feePercent), fraction('100'));
          // Cost is what was spent and its fee, to the rounding of the average.
          const cost = divide(fraction(fill.totalCost), add(fraction('1'), rate));
          const off = subtract(cost, spent);
          assert.ok(order(off.n < 0n ? { n: -off.n, d: off.d } : off, multiply(coins, unitOf(8))) <= 0);
        }
      }),
    );
  });

  it('breaks even at the price told and not one unit of its last place below, fees of both sides included', () => {
    fc.assert(
      fc.property(arbitraryLadder, (params) => {
        const placesOf = (text: string) => (text.split('.')[1] ?? '').replace(/0+$/, '').length;
        const { fills } = estimateDcaLadder(params);
        const places = Math.max(...fills.map(({ price }) => placesOf(price))) + 8;
        const kept = subtract(fraction('1'), divide(fraction(params.feePercent), fraction('100')));
        for (const { breakEven, totalQuantity, totalCost, lossAtStop } of fills) {
          if (breakEven === null) continue;
          const brings = (price: Fraction) => multiply(multiply(fraction(totalQuantity), price), kept);
          assert.ok(order(brings(fraction(breakEven)), fraction(totalCost)) >= 0);
          assert.ok(order(brings(subtract(fraction(breakEven), unitOf(places))), fraction(totalCost)) < 0);
          const loss = subtract(fraction(totalCost), brings(fraction(params.stop!)));
          assert.equal(order(fraction(lossAtStop!), loss), 0);
        }
      }),
    );
  });
});
