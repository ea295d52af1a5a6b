import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { admitOrder } from '../../../compute/paper/admit-order.js';
import { paperOrder, roundTerms, wholeRules, type OrderTexts } from '../../support/paper/paper-cases.js';

/** The bound of an order that is admitted, or the reason why it is not. */
function outcome(texts: OrderTexts, free = '1000', lastPrice: string | null = '100'): string | null {
  const { bound, ...offered } = paperOrder(texts);
  assert.ok(bound !== undefined);
  const admitted = admitOrder(offered, {
    rules: wholeRules,
    terms: roundTerms,
    lastPrice: lastPrice === null ? null : Decimal.parse(lastPrice),
    free: Decimal.parse(free),
  });
  return 'refused' in admitted ? admitted.refused : admitted.bound && String(admitted.bound);
}

const market = { type: 'market', price: null } as const;
const stop = { type: 'stop', side: 'sell', price: null, stopPrice: '100' } as const;

describe('admitOrder', () => {
  it('takes an order that the account can pay in full, to the last digit', () => {
    assert.equal(outcome({}, '100'), '100');
    assert.equal(outcome({}, '99.99'), 'the order needs 100 USDT, and 99.99 USDT are free');
    assert.equal(outcome({ side: 'sell' }, '1'), null);
    assert.equal(
      outcome({ side: 'sell' }, '0.99'),
      'the order needs 1 ABC, and 0.99 ABC are free; the paper exchange holds no short positions',
    );
    assert.equal(outcome(stop, '1'), null);
  });

  it('leaves room above the price for a purchase at market, as much as the account has', () => {
    assert.equal(outcome(market, '1000'), '102');
    assert.equal(outcome(market, '101.5'), '101.5');
    assert.equal(outcome(market, '101'), '101');
    assert.equal(outcome(market, '100.99'), 'the order needs 101 USDT, and 100.99 USDT are free');
    assert.equal(outcome({ ...stop, side: 'buy' }, '1000', null), '102');
  });

  it('refuses a purchase at market without a recent price', () => {
    assert.equal(outcome(market, '1000', null), 'there is no recent price of ABC/USDT');
  });

  it('refuses what is off the tick, off the step, too small or worth too little', () => {
    const cases: [OrderTexts, string][] = [
      [{ price: '100.5' }, 'the price 100.5 is not a multiple of 1 above 0'],
      [{ price: '0' }, 'the price 0 is not a multiple of 1 above 0'],
      [{ price: '-1' }, 'the price -1 is not a multiple of 1 above 0'],
      [{ ...stop, stopPrice: '100.1' }, 'the price 100.1 is not a multiple of 1 above 0'],
      [{ quantity: '1.001' }, 'the quantity 1.001 is not a multiple of 0.01 above 0'],
      [{ quantity: '0' }, 'the quantity 0 is not a multiple of 0.01 above 0'],
      [{ quantity: '-1' }, 'the quantity -1 is not a multiple of 0.01 above 0'],
      [{ quantity: '0.04' }, 'the quantity 0.04 is below the minimum of 0.05'],
      [{ quantity: '0.09' }, 'the order is worth 9 USDT, below the minimum of 10'],
      [{ ...market, quantity: '0.09' }, 'the order is worth 9 USDT, below the minimum of 10'],
      [{ price: null }, 'a limit order needs a price'],
      [{ stopPrice: '90' }, 'a limit order has no stop price'],
      [{ type: 'stop' }, 'a stop order needs a stop price'],
    ];
    for (const [texts, reason] of cases) assert.equal(outcome(texts), reason);
  });
});
