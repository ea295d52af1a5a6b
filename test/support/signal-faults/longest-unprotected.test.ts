import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import type { LedgerOrder, LedgerTrade } from '../fake-exchange/exchange-ledger.js';
import { longestUnprotected } from './longest-unprotected.js';

const d = (text: string) => Decimal.read(text);
const rules = { tickSize: d('1'), stepSize: d('0.01'), minQuantity: d('0.01'), minNotional: d('5') };

const trade = (time: number, side: 'BUY' | 'SELL', quantity: string): LedgerTrade => ({
  ...{
    id: 1,
    orderId: 1,
    kind: 'spot',
    apiKey: 'key',
    symbol: 'BTCUSDT',
    price: '100',
    side,
    quantity,
    time,
  },
  ...{ commission: '0.001', commissionAsset: side === 'BUY' ? 'BTC' : 'USDT' },
});
const sale = (time: number, ended: number | null, stopPrice: string | null): LedgerOrder => ({
  ...{ id: 1, kind: 'spot', apiKey: 'key', symbol: 'BTCUSDT', clientOrderId: 'id', side: 'SELL', time },
  ...{ type: 'LIMIT', price: '90', stopPrice, quantity: '1', executed: '0', updateTime: ended ?? time },
  status: ended === null ? 'NEW' : 'CANCELED',
});
const longest = (trades: LedgerTrade[], orders: LedgerOrder[], untilMs = 20_000) =>
  longestUnprotected(
    { orders, trades },
    { rules, isExit: ({ clientOrderId }) => clientOrderId === 'exit', untilMs },
  ).ms;

describe('longestUnprotected', () => {
  it('is the longest time between a purchase and its sale in which no stop stands', () => {
    const [bought, sold] = [trade(1_000, 'BUY', '1'), trade(9_000, 'SELL', '0.999')];
    assert.equal(longest([bought, sold], []), 8_000);
    assert.equal(longest([bought, sold], [sale(1_500, 9_000, '95')]), 500);
    assert.equal(longest([bought, sold], [sale(1_500, 4_000, '95'), sale(4_700, 9_000, '96')]), 700);
    // Two that stand one over the other leave no time between them.
    assert.equal(longest([bought, sold], [sale(1_500, 5_000, '95'), sale(4_700, 9_000, '96')]), 500);
    assert.equal(longest([bought], [sale(1_100, null, '95')]), 100);
    assert.equal(longest([bought], []), 19_000);
  });

  it('counts what closes the position, not sales at a profit, and no dust', () => {
    const [bought, sold] = [trade(1_000, 'BUY', '1'), trade(9_000, 'SELL', '0.99')];
    assert.equal(longest([bought, sold], [sale(1_000, 9_000, null)]), 8_000);
    assert.equal(longest([bought, sold], [{ ...sale(2_000, 9_000, null), clientOrderId: 'exit' }]), 1_000);
  });
});
