import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { StoredHolding } from '../../../../storage/accounts/accounts.js';
import { bookFill } from '../../../../storage/exchanges/paper/book-fill.js';

const ethBtc = { base: 'ETH', quote: 'BTC' };
const btcUsdt = { base: 'BTC', quote: 'USDT' };

const holding = (asset: string, quantity: string, cost: string | null): StoredHolding => ({
  asset,
  quantity,
  cost,
  basis: cost === null ? 'since_connection' : 'average',
  cursor: null,
  checkedAt: 0,
});

const fill = (quantity: string, price: string, baseFee = '0', quoteFee = '0') => {
  const [q, p, b, f] = [quantity, price, baseFee, quoteFee].map((text) => Decimal.parse(text));
  return { quantity: q, price: p, baseFee: b, quoteFee: f };
};

describe('bookFill', () => {
  it('makes the fee of a purchase part of its cost', () => {
    const money = { cash: [{ asset: 'USDT', quantity: '100' }], holdings: [] };
    const after = bookFill(money, { pair: btcUsdt, side: 'buy', fill: fill('1', '60', '0.1') });
    assert.deepEqual(after, {
      cash: [{ asset: 'USDT', quantity: '40' }],
      holdings: [holding('BTC', '0.9', '60')],
    });
  });

  it('takes a share of the cost away with a sale, and the holding with the last of it', () => {
    const money = { cash: [], holdings: [holding('BTC', '4', '100')] };
    const part = bookFill(money, { pair: btcUsdt, side: 'sell', fill: fill('1', '60', '0', '2') });
    assert.deepEqual(part, {
      cash: [{ asset: 'USDT', quantity: '58' }],
      holdings: [holding('BTC', '3', '75')],
    });
    const all = bookFill(part, { pair: btcUsdt, side: 'sell', fill: fill('3', '60') });
    assert.deepEqual(all, { cash: [{ asset: 'USDT', quantity: '238' }], holdings: [] });
  });

  it('carries cost from one asset to the other where one is paid with the other', () => {
    const money = { cash: [], holdings: [holding('BTC', '2', '120000')] };
    const bought = bookFill(money, { pair: ethBtc, side: 'buy', fill: fill('10', '0.05', '0.01') });
    assert.deepEqual(bought.holdings, [holding('BTC', '1.5', '90000'), holding('ETH', '9.99', '30000')]);
    const sold = bookFill(bought, { pair: ethBtc, side: 'sell', fill: fill('9.99', '0.1') });
    assert.deepEqual(sold.holdings, [holding('BTC', '2.499', '120000')]);
  });

  it('knows no cost of what was paid with an asset of unknown cost', () => {
    const money = { cash: [], holdings: [holding('BTC', '2', null)] };
    const { holdings } = bookFill(money, { pair: ethBtc, side: 'buy', fill: fill('10', '0.05') });
    assert.deepEqual(holdings, [holding('BTC', '1.5', null), holding('ETH', '10', null)]);
  });
});
