import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import {
  afterFill,
  increasedBy,
  nothingHeld,
  reducedTo,
  type Holding,
} from '../../../compute/model/holding.js';
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
const text = ({ quantity, cost }: Holding) => [String(quantity), String(cost)];
const buy = (quantity: string, price: string, fees: { baseFee?: string; quoteFee?: string } = {}) => ({
  side: 'buy' as const,
  quantity: decimal(quantity),
  price: decimal(price),
  baseFee: decimal(fees.baseFee ?? '0'),
  quoteFee: decimal(fees.quoteFee ?? '0'),
});
const sell = (quantity: string, price: string) => ({ ...buy(quantity, price), side: 'sell' as const });

describe('afterFill', () => {
  it('averages what was paid, fees in the quote currency included', () => {
    const held = [buy('1', '100', { quoteFee: '0.1' }), buy('3', '200', { quoteFee: '0.6' })].reduce(
      afterFill,
      nothingHeld,
    );
    assert.deepEqual(text(held), ['4', '700.7']);
  });

  it('takes a fee in the asset off the quantity: what is left has cost as much', () => {
    assert.deepEqual(text(afterFill(nothingHeld, buy('1', '100', { baseFee: '0.001' }))), ['0.999', '100']);
  });

  it('leaves the average price as it is when part is sold, and nothing when all is', () => {
    const held = afterFill(nothingHeld, buy('4', '100'));
    assert.deepEqual(text(afterFill(held, sell('1', '999'))), ['3', '300']);
    assert.deepEqual(text(afterFill(held, sell('4', '1'))), ['0', '0']);
    assert.deepEqual(text(afterFill(held, sell('5', '1'))), ['0', '0']);
  });

  it('agrees with exact fractions over any row of fills, to less than one unit of the 18th place for each sale', () => {
    const fill = fc.record({
      isBuy: fc.boolean(),
      quantity: arbitraryPositive(4),
      price: arbitraryPositive(5),
      fee: arbitraryPositive(1, 6),
      inBase: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fill, { minLength: 1, maxLength: 30 }), (fills) => {
        let held = nothingHeld;
        let exact: { quantity: Fraction; cost: Fraction } = { quantity: fraction('0'), cost: fraction('0') };
        for (const { isBuy, quantity, price, fee, inBase } of fills) {
          // A fee is small beside its trade.
          const small = divide(multiply(fraction(quantity), fraction(fee)), fraction('100000'));
          const feeText = shortText(small);
          const [baseFee, quoteFee] = inBase ? [feeText, '0'] : ['0', fee];
          held = afterFill(held, {
            side: isBuy ? 'buy' : 'sell',
            quantity: decimal(quantity),
            price: decimal(price),
            baseFee: decimal(baseFee),
            quoteFee: decimal(quoteFee),
          });
          exact = naive(exact, isBuy, { quantity, price, baseFee, quoteFee });
        }
        assert.equal(order(fraction(String(held.quantity)), exact.quantity), 0);
        const off = subtract(fraction(String(held.cost)), exact.cost);
        const size = off.n < 0n ? { n: -off.n, d: off.d } : off;
        assert.ok(order(size, multiply(unitOf(18), fraction(String(fills.length)))) < 0);
      }),
      { numRuns: 300 },
    );
  });
});

/** Eleven places of a fraction, cut off. */
function shortText({ n, d }: Fraction): string {
  const digits = String((n * 10n ** 11n) / d).padStart(12, '0');
  return `${digits.slice(0, -11)}.${digits.slice(-11)}`;
}

/** Average cost by the book: the price of one unit is kept, not the cost of all. */
function naive(
  { quantity, cost }: { quantity: Fraction; cost: Fraction },
  isBuy: boolean,
  fill: { quantity: string; price: string; baseFee: string; quoteFee: string },
): { quantity: Fraction; cost: Fraction } {
  const [q, p, b, f] = [fill.quantity, fill.price, fill.baseFee, fill.quoteFee].map(fraction);
  if (isBuy) return { quantity: subtract(add(quantity, q), b), cost: add(add(cost, multiply(q, p)), f) };
  const left = subtract(subtract(quantity, q), b);
  if (left.n <= 0n) return { quantity: fraction('0'), cost: fraction('0') };
  return { quantity: left, cost: multiply(divide(cost, quantity), left) };
}

describe('reducedTo and increasedBy', () => {
  const held = { quantity: decimal('3'), cost: decimal('100') };

  it('keep the average price of what is left, to 18 places', () => {
    assert.deepEqual(text(reducedTo(held, decimal('1'))), ['1', '33.333333333333333333']);
    assert.deepEqual(text(reducedTo(held, decimal('3'))), ['3', '100']);
    assert.deepEqual(text(reducedTo(held, Decimal.zero)), ['0', '0']);
  });

  it('price what comes in', () => {
    assert.deepEqual(text(increasedBy(held, decimal('0.5'), decimal('40'))), ['3.5', '120']);
  });
});
