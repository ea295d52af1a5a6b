import assert from 'node:assert/strict';
import { subscriptionView } from '../../../../gateway/operations/signals/subscription-fields.js';
import { KnownExchanges } from '../../../../storage/exchanges/known-exchanges.js';
import type { NewSubscription } from '../../../../storage/signals/subscriptions.js';
import { newSubscription } from '../../../support/signals/new-subscription.js';

const exchanges = new KnownExchanges({
  ...{ DATA_DIR: '', MARKET: 'demo', SECRETS_KEY: '' },
  EXCHANGES: 'BINANCE=binance,BYBIT=bybit,KUCOIN=kucoin',
});

describe('a subscription as its user sees it', () => {
  const viewOf = (exchange: string, more: Partial<NewSubscription> = {}) => {
    const ids = { id: 'x', isPaused: false, pauseReason: null, createdAt: new Date(0) };
    const subscription = { ...newSubscription('ada', 'channel', { exchange, ...more }), ...ids };
    return subscriptionView(subscription, { exchanges });
  };
  const watched = (...given: Parameters<typeof viewOf>) => viewOf(...given).watchedStops;
  const all = ['SPOT', 'MARGIN', 'FUTURES'] as const;

  it('says on which accounts no stop order stands, so that the service alone protects', () => {
    const accounts = [...all];
    assert.deepEqual(
      ['PAPER', 'BINANCE', 'BYBIT', 'KUCOIN', 'GONE'].map((name) => watched(name, { accounts })),
      [[], [], [], ['SPOT', 'MARGIN'], accounts],
    );
  });

  it('says on which accounts targets stand as well: with the stop where orders only reduce, the last one where one order is both', () => {
    const accounts = [...all];
    const targets = (exchange: string, stopOnExchange = true) => {
      const view = viewOf(exchange, { accounts, stopOnExchange });
      return [view.watchedTargets, view.pairedTargets];
    };
    assert.deepEqual(targets('BINANCE'), [['MARGIN'], ['SPOT']]);
    assert.deepEqual(targets('BYBIT'), [['SPOT', 'MARGIN'], []]);
    assert.deepEqual(targets('KUCOIN'), [['SPOT', 'MARGIN'], []]);
    assert.deepEqual(targets('PAPER'), [accounts, []]);
    assert.deepEqual(targets('BINANCE', false), [accounts, []]);
  });

  it('names the accounts that are followed alone, and all of them where no stop is to stand', () => {
    assert.deepEqual(watched('KUCOIN', { accounts: ['SPOT', 'FUTURES'] }), ['SPOT']);
    assert.deepEqual(watched('BINANCE', { accounts: [...all], stopOnExchange: false }), all);
  });
});
