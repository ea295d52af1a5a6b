import assert from 'node:assert/strict';
import type { Exchange } from 'ccxt';
import { isHaltedMarket } from '../../../../storage/exchanges/live/market-rules.js';

describe('a market that takes no orders', () => {
  // Statuses: "Symbol status" and "Contract status" of Binance, "status" of the enums of Bybit, "Get Symbol" of KuCoin.
  const halted = [{ status: 'HALT' }, { status: 'BREAK' }, { enableTrading: false }, { status: 'Paused' }];
  const ending = [
    ...['PRE_DELIVERING', 'DELIVERED', 'SETTLING', 'CLOSE', 'Delivering', 'Closed', 'BeingSettled'].map(
      (status) => ({ status }),
    ),
    { contractStatus: 'PRE_SETTLE' },
  ];
  const isHalted = (info: object, active = false) =>
    isHaltedMarket({ markets: { 'A/B': { active, info } } } as unknown as Exchange, 'A/B');

  for (const info of halted)
    it(`is halted: ${JSON.stringify(info)}`, () => assert.equal(isHalted(info), true));
  for (const info of ending)
    it(`comes to its end: ${JSON.stringify(info)}`, () => assert.equal(isHalted(info), false));

  it('is halted only while it is listed', () => {
    assert.equal(isHalted({ status: 'TRADING' }, true), false);
    assert.equal(isHaltedMarket({ markets: {} } as unknown as Exchange, 'A/B'), false);
  });
});
