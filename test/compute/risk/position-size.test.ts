import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calculatePositionSize, type PositionParams } from '../../../compute/risk/position-size.js';
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

const defaults: PositionParams = {
  accountSize: '10000',
  riskPercent: '1',
  entry: '50000',
  stop: '49000',
  side: 'long',
  leverage: '1',
  marginType: 'ISOLATED',
  step: '0.001',
  tick: null,
  minNotional: null,
  feePercent: '0',
  maintenanceMarginPercent: '0.5',
};

const size = (params: Partial<PositionParams>) => calculatePositionSize({ ...defaults, ...params });

const isNear = (actual: string | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(Number(actual) / expected - 1) < 1e-6, `${actual} ${expected}`);

/** Parameters of any order that can be. */
const arbitraryParams = fc
  .record({
    accountSize: arbitraryPositive(7, 4),
    riskPercent: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => (hundredths / 100).toFixed(2)),
    prices: fc
      .tuple(arbitraryPositive(6, 8), arbitraryPositive(6, 8))
      .filter(([a, b]) => Number(a) !== Number(b)),
    leverage: fc.integer({ min: 10, max: 1_250 }).map((tenths) => (tenths / 10).toFixed(1)),
    marginType: fc.constantFrom('ISOLATED' as const, 'CROSS' as const),
    side: fc.constantFrom('long' as const, 'short' as const),
    step: fc.constantFrom('1', '0.001', '0.00000001', '25'),
    feePercent: fc.constantFrom('0', '0.1', '0.045', '2'),
    maintenanceMarginPercent: fc.constantFrom('0', '0.5', '12.5'),
  })
  .map(({ prices, ...rest }): PositionParams & { step: string; feePercent: string } => {
    const [low, high] = [...prices].sort((a, b) => Number(a) - Number(b));
    const [entry, stop] = rest.side === 'long' ? [high, low] : [low, high];
    return { ...rest, entry, stop, tick: null, minNotional: null };
  })
  // Less than the maintenance margin is no position.
  .filter(
    (params) =>
      params.marginType === 'CROSS' ||
      Number(params.leverage) * Number(params.maintenanceMarginPercent) < 100,
  );

describe('calculatePositionSize', () => {
  it('takes eight decimals and the usual fee where no rules are given', () => {
    const given = { step: '0.00000001', tick: null, minNotional: null, feePercent: '0.1' };
    assert.deepEqual(size({ step: null, feePercent: null }), size(given));
    assert.deepEqual(size({ step: null, feePercent: null }).rules, given);
  });

  it('risks what it is told to, without fees', () => {
    assert.deepEqual(size({}), {
      side: 'long',
      entry: '50000',
      stop: '49000',
      quantity: '0.1',
      notional: '5000',
      margin: '5000',
      fees: { entry: '0', stop: '0' },
      riskAmount: '100',
      lossAtStop: '100',
      lossPercent: '1',
      affordableQuantity: '0.2',
      liquidationPrice: null,
      rules: { step: '0.001', tick: null, minNotional: null, feePercent: '0' },
      stopComesFirst: true,
      // 50000 / (50000 - 49000 x 0.995) = 40.2.
      mostLeverage: 40,
      notes: [],
    });
  });

  it('takes both fees out of the risk, and rounds down to steps', () => {
    // 100 / (1000 + 0.001 * 99000) = 0.09099 of a coin.
    const found = size({ feePercent: '0.1' });
    assert.equal(found.quantity, '0.09');
    assert.deepEqual(found.fees, { entry: '4.5', stop: '4.41' });
    assert.equal(found.lossAtStop, '98.91');
    assert.equal(found.lossPercent, '0.9891');
    assert.equal(size({ feePercent: '0.1', step: '0.00001' }).quantity, '0.09099');
  });

  it('sizes a short whose stop lies above', () => {
    const found = size({ side: 'short', stop: '52000', leverage: '5' });
    assert.deepEqual([found.quantity, found.margin, found.lossAtStop], ['0.05', '500', '100']);
    // Isolated: entry (1 + 1 / 5) / (1 + 0.005).
    isNear(found.liquidationPrice, (50_000 * 1.2) / 1.005);
    assert.ok(found.stopComesFirst);
  });

  it('says where the position is liquidated, and whether that comes first', () => {
    // Isolated long: entry (1 - 1 / 50) / (1 - 0.005) = 49246.2, above the stop.
    const late = size({ leverage: '50' });
    isNear(late.liquidationPrice, (50_000 * 0.98) / 0.995);
    assert.equal(late.stopComesFirst, false);
    assert.match(late.notes[0], /^the position is liquidated at 49246\.23115578, before the stop/);
    // Cross: all of the account stands behind 0.1 coins: (50000 * 0.1 - 10000) lies below 0.
    const cross = size({ leverage: '50', marginType: 'CROSS' });
    assert.deepEqual([cross.liquidationPrice, cross.stopComesFirst], [null, true]);
    // Ten times the risk, 1 coin on an account of 10000: (50000 - 10000) / 0.995.
    isNear(size({ leverage: '50', marginType: 'CROSS', riskPercent: '10' }).liquidationPrice, 40_000 / 0.995);
    // Short, isolated, unlevered: twice the entry, less the maintenance margin.
    isNear(size({ side: 'short', stop: '51000' }).liquidationPrice, 100_000 / 1.005);
  });

  it('notes what the account cannot carry, and how much it can', () => {
    const found = size({ stop: '49950' });
    assert.deepEqual([found.quantity, found.margin, found.affordableQuantity], ['2', '100000', '0.2']);
    assert.deepEqual(found.notes, [
      'margin and entry fee are above the account of 10000: it carries 0.2 at most',
    ]);
    assert.deepEqual(size({ stop: '49950', leverage: '10' }).affordableQuantity, '2');
  });

  it('notes an order below the least of the exchange, and one below a step', () => {
    assert.deepEqual(size({ minNotional: '5000' }).notes, []);
    assert.deepEqual(size({ minNotional: '5000.01' }).notes, [
      'the notional of 5000 is below the minimum of 5000.01',
    ]);
    const none = size({ step: '1' });
    assert.deepEqual(
      [none.quantity, none.margin, none.lossAtStop, none.liquidationPrice, none.stopComesFirst],
      ['0', '0', '0', null, true],
    );
    assert.deepEqual(none.notes, ['the risk is too small for one step of 1']);
  });

  it('moves prices to the tick, further apart, and says so', () => {
    const long = size({ entry: '50000.03', stop: '48999.98', tick: '0.1' });
    assert.deepEqual([long.entry, long.stop], ['50000.1', '48999.9']);
    assert.deepEqual(long.notes, ['entry and stop are moved to the tick of 0.1: 50000.1 and 48999.9']);
    const short = size({ side: 'short', entry: '50000.03', stop: '51000.01', tick: '0.1' });
    assert.deepEqual([short.entry, short.stop], ['50000', '51000.1']);
    assert.deepEqual(size({ tick: '0.1' }).notes, []);
  });

  it('is exact for tiny prices', () => {
    const found = size({ entry: '0.00001193', stop: '0.00001082', step: '1' });
    // 100 / 0.00000111 = 90090090.09.
    assert.deepEqual([found.quantity, found.lossAtStop], ['90090090', '99.9999999']);
    const dust = size({ entry: '0.00000001', stop: '0.000000009', step: '1', leverage: '3' });
    isNear(dust.liquidationPrice, (1e-8 * (2 / 3)) / 0.995);
  });

  it('refuses what makes no order, with the field', () => {
    for (const [params, field] of [
      [{ accountSize: '0' }, 'accountSize'],
      [{ accountSize: '-5' }, 'accountSize'],
      [{ accountSize: '1e5' }, 'accountSize'],
      [{ riskPercent: '0' }, 'riskPercent'],
      [{ riskPercent: '100.01' }, 'riskPercent'],
      [{ entry: '0' }, 'entry'],
      [{ entry: 'much' }, 'entry'],
      [{ stop: '0' }, 'stop'],
      [{ stop: '50000' }, 'stop'],
      [{ stop: '50001' }, 'stop'],
      [{ side: 'short' }, 'stop'],
      [{ stop: '3', tick: '5' }, 'stop'],
      [{ side: 'short', entry: '3', stop: '4', tick: '5' }, 'entry'],
      [{ leverage: '0.9' }, 'leverage'],
      [{ leverage: '200' }, 'leverage'],
      [{ step: '0' }, 'step'],
      [{ tick: '0' }, 'tick'],
      [{ minNotional: '-1' }, 'minNotional'],
      [{ feePercent: '-0.1' }, 'feePercent'],
      [{ feePercent: '100' }, 'feePercent'],
      [{ maintenanceMarginPercent: '100' }, 'maintenanceMarginPercent'],
    ] as [Partial<PositionParams>, string][])
      assert.throws(
        () => size(params),
        { code: 'invalid_input', details: { field } },
        JSON.stringify(params),
      );
  });

  it('never loses more than the risk at the stop, and one step more would', () => {
    fc.assert(
      fc.property(arbitraryParams, (params) => {
        const found = calculatePositionSize(params);
        const of = (text: string) => fraction(text);
        const fee = divide(of(params.feePercent), of('100'));
        const distance = subtract(of(params.entry), of(params.stop));
        const loss: Fraction = params.side === 'long' ? distance : { n: -distance.n, d: distance.d };
        const perUnit = add(loss, multiply(fee, add(of(params.entry), of(params.stop))));
        const risk = divide(multiply(of(params.accountSize), of(params.riskPercent)), of('100'));
        assert.equal(order(of(found.riskAmount), risk), 0);
        const lost = multiply(perUnit, of(found.quantity));
        assert.equal(order(of(found.lossAtStop), lost), 0);
        assert.ok(order(lost, risk) <= 0);
        assert.ok(order(multiply(perUnit, add(of(found.quantity), of(params.step))), risk) > 0);
        const steps = divide(of(found.quantity), of(params.step));
        assert.equal(steps.n % steps.d, 0n);
        const fees = add(of(found.fees.entry), of(found.fees.stop));
        assert.equal(order(of(found.lossAtStop), add(multiply(loss, of(found.quantity)), fees)), 0);
      }),
    );
  });

  it('liquidates where backing and loss leave just the maintenance margin', () => {
    fc.assert(
      fc.property(arbitraryParams, (params) => {
        const { quantity, margin, liquidationPrice, stopComesFirst } = calculatePositionSize(params);
        if (liquidationPrice === null) return assert.ok(stopComesFirst);
        const of = (text: string) => fraction(text);
        const sign = of(params.side === 'long' ? '1' : '-1');
        const backing = of(params.marginType === 'CROSS' ? params.accountSize : margin);
        const rate = divide(of(params.maintenanceMarginPercent), of('100'));
        const left = (price: Fraction) => {
          const gain = multiply(multiply(sign, subtract(price, of(params.entry))), of(quantity));
          return subtract(add(backing, gain), multiply(rate, multiply(price, of(quantity))));
        };
        const price = of(liquidationPrice);
        const placesOf = (text: string) => (text.split('.')[1] ?? '').replace(/0+$/, '').length;
        const last = unitOf(Math.max(placesOf(params.entry), placesOf(params.stop)) + 8);
        // Enough is left at the price told, and no longer one unit of its last place further on.
        assert.ok(order(left(price), of('0')) >= 0);
        assert.ok(order(left(subtract(price, multiply(sign, last))), of('0')) < 0);
        const beyond = order(of(params.stop), price) * (params.side === 'long' ? 1 : -1);
        assert.equal(stopComesFirst, beyond > 0);
      }),
    );
  });

  it('names the largest whole leverage at which the stop comes first', () => {
    fc.assert(
      fc.property(arbitraryParams, (params) => {
        const { mostLeverage, notional, ...found } = calculatePositionSize({ ...params, leverage: '1' });
        if (params.marginType === 'CROSS') return assert.equal(mostLeverage, null);
        // Margins are rounded up to 12 places, which counts for dust.
        if (Number(notional) < 1) return;
        assert.equal(found.stopComesFirst, mostLeverage !== null);
        if (mostLeverage === null) return;
        const at = (leverage: number) => calculatePositionSize({ ...params, leverage: String(leverage) });
        assert.ok(at(mostLeverage).stopComesFirst);
        const isRefused = (mostLeverage + 1) * Number(params.maintenanceMarginPercent) >= 100;
        if (!isRefused) assert.ok(!at(mostLeverage + 1).stopComesFirst);
      }),
    );
  });

  it('affords as much as margin and entry fee leave of the account', () => {
    fc.assert(
      fc.property(arbitraryParams, (params) => {
        const { affordableQuantity } = calculatePositionSize(params);
        const of = (text: string) => fraction(text);
        const fee = divide(of(params.feePercent), of('100'));
        const tied = (quantity: Fraction) =>
          multiply(multiply(quantity, of(params.entry)), add(divide(of('1'), of(params.leverage)), fee));
        assert.ok(order(tied(of(affordableQuantity)), of(params.accountSize)) <= 0);
        assert.ok(order(tied(add(of(affordableQuantity), of(params.step))), of(params.accountSize)) > 0);
      }),
    );
  });
});
