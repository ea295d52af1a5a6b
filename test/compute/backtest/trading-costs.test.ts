import assert from 'node:assert/strict';
import ccxt from 'ccxt';
import { exchangeFees, feeExchanges, feesAsOf } from '../../../compute/backtest/exchange-fees.js';
import { costsOf, feeOf, defaultCosts } from '../../../compute/backtest/trading-costs.js';

describe('exchangeFees', () => {
  it('are listed in alphabetical order, with a page of the exchange and a day in the past', () => {
    assert.deepEqual(feeExchanges, [...feeExchanges].sort());
    assert.ok(Date.parse(feesAsOf) <= Date.now());
    for (const [name, { makerPercent, takerPercent, source }] of Object.entries(exchangeFees)) {
      assert.ok(makerPercent >= 0 && makerPercent <= takerPercent && takerPercent < 1, name);
      assert.match(new URL(source).hostname, new RegExp(`(^|\\.)${name.toLowerCase()}\\.com$`));
    }
  });

  it('are those of ccxt, where ccxt knows the spot fees of today', () => {
    for (const [name, id] of [
      ['BINANCE', 'binance'],
      ['KUCOIN', 'kucoin'],
    ] as const) {
      const { maker, taker } = new ccxt[id]().fees.trading as { maker: number; taker: number };
      const { makerPercent, takerPercent } = exchangeFees[name];
      assert.deepEqual([makerPercent, takerPercent], [maker * 100, taker * 100], name);
    }
  });
});

describe('feeOf', () => {
  it('takes the fee of the caller before that of the exchange, and that before the usual one', () => {
    const reasonOf = (given: Parameters<typeof feeOf>[0]) => {
      const { feePercent, feeReason } = feeOf(given);
      return [feePercent, feeReason.split(',')[0]];
    };
    assert.deepEqual(reasonOf({ exchange: 'KRAKEN', feePercent: 0 }), [0, 'as given in feePercent']);
    assert.deepEqual(reasonOf({ exchange: 'KRAKEN', feePercent: null }), [0.4, 'taker fee of KRAKEN']);
    assert.deepEqual(reasonOf({ feePercent: null }), [
      0.1,
      'the usual 0.1 %: neither feePercent nor exchange is given',
    ]);
  });
});

describe('costsOf', () => {
  it('are fractions', () => {
    assert.deepEqual(costsOf(defaultCosts), { feeRate: 0.001, slippageRate: 0.0005 });
    assert.deepEqual(costsOf({ exchange: 'OKX', feePercent: null, slippagePercent: 0 }), {
      feeRate: 0.001,
      slippageRate: 0,
    });
  });
});
