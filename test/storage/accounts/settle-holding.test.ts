import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { settleHolding, type SettledHolding } from '../../../storage/accounts/settle-holding.js';
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

const decimal = (text: string) => Decimal.parse(text);
const zero = Decimal.zero;
const fill = (side: 'buy' | 'sell', quantity: string, price: string) => ({
  side,
  quantity: decimal(quantity),
  price: decimal(price),
  baseFee: zero,
  quoteFee: zero,
});
const settle = (
  known: SettledHolding | null,
  fills: ReturnType<typeof fill>[],
  balance: string,
  price: string | null,
) => settleHolding(known, fills, decimal(balance), price === null ? null : decimal(price));

describe('settleHolding', () => {
  it('has the average cost where the fills explain the balance', () => {
    const fills = [fill('buy', '1', '100'), fill('buy', '1', '200'), fill('sell', '0.5', '900')];
    assert.deepEqual(settle(null, fills, '1.5', '500'), { quantity: '1.5', cost: '225', basis: 'average' });
  });

  it('takes on at the price what no fill explains, and says so from then on', () => {
    const known = settle(null, [fill('buy', '1', '100')], '3', '50');
    assert.deepEqual(known, { quantity: '3', cost: '200', basis: 'since_connection' });
    assert.deepEqual(settle(known, [fill('sell', '1', '70')], '2', '60'), {
      quantity: '2',
      cost: '133.333333333333333333',
      basis: 'since_connection',
    });
  });

  it('lets what has gone without a fill take its share of the cost along', () => {
    assert.deepEqual(settle({ quantity: '4', cost: '400', basis: 'average' }, [], '1', null), {
      quantity: '1',
      cost: '100',
      basis: 'average',
    });
  });

  it('has no cost without a price, and one as soon as there is a price', () => {
    const unknown = settle(null, [], '2', null);
    assert.deepEqual(unknown, { quantity: '2', cost: null, basis: 'since_connection' });
    assert.deepEqual(settle(unknown, [], '2', null), unknown);
    assert.deepEqual(settle(unknown, [], '2', '7'), { quantity: '2', cost: '14', basis: 'since_connection' });
  });

  it('agrees with exact fractions over any row of visits', () => {
    const visit = fc.record({
      bought: arbitraryPositive(3, 8),
      paid: arbitraryPositive(4, 8),
      came: fc.option(arbitraryPositive(2, 8)),
      keptPercent: fc.integer({ min: 1, max: 100 }),
      price: arbitraryPositive(4, 8),
    });
    fc.assert(
      fc.property(fc.array(visit, { minLength: 1, maxLength: 12 }), (visits) => {
        let known: SettledHolding | null = null;
        let exact: { quantity: Fraction; cost: Fraction } = { quantity: fraction('0'), cost: fraction('0') };
        for (const { bought, paid, came, keptPercent, price } of visits) {
          const held = decimal(known?.quantity ?? '0').plus(decimal(bought));
          const kept = held.times(decimal(String(keptPercent))).dividedBy(decimal('100'), 8, 'ceil');
          const balance: Decimal = came === null ? kept : held.plus(decimal(came));
          known = settleHolding(known, [fill('buy', bought, paid)], balance, decimal(price));
          const total = add(exact.quantity, fraction(bought));
          const cost = add(exact.cost, multiply(fraction(bought), fraction(paid)));
          const now = fraction(String(balance));
          const more = subtract(now, total);
          exact = {
            quantity: now,
            cost:
              more.n > 0n ? add(cost, multiply(more, fraction(price))) : divide(multiply(cost, now), total),
          };
        }
        assert.equal(order(fraction(known!.quantity), exact.quantity), 0);
        const off = subtract(fraction(known!.cost!), exact.cost);
        const size = off.n < 0n ? { n: -off.n, d: off.d } : off;
        assert.ok(order(size, multiply(unitOf(18), fraction(String(2 * visits.length)))) < 0);
      }),
      { numRuns: 300 },
    );
  });
});
