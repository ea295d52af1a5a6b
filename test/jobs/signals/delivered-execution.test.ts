import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { deliveredExecution, type DeliveryScene } from '../../../jobs/signals/delivered-execution.js';
import { venueScene } from '../../../jobs/signals/venue-scene.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import type { PartnerSignal, SignalTerms } from '../../../storage/signals/partner-signal.js';
import { defaultSettings, type Subscription } from '../../../storage/signals/subscription.js';
import { testRules } from '../../support/signals/make-execution.js';
import { signalTerms } from '../../support/signals/signal-terms.js';

const at = new Date(Date.UTC(2026, 0, 6));

const signalOf = (terms: Partial<SignalTerms>): PartnerSignal => ({
  ...{ id: 'signal', partnerId: 'partner', channelId: 'channel', createdAt: at, commands: [], events: [] },
  ...{ terms: { ...signalTerms, ...terms }, status: 'active', idempotency: null, dueAt: at, fault: null },
  ...{ delivery: { after: null, isDone: false, delivered: 0 }, revision: 0 },
});

const subscription: Subscription = {
  ...defaultSettings,
  ...{ id: 'own', userId: 'ada', channelId: 'channel', exchange: 'BINANCE', createdAt: at },
  ...{ isPaused: false, pauseReason: null },
};

/** Why a subscriber does not follow a signal; null if it is followed. */
const skipped = (...given: Parameters<typeof delivered>): string | null => delivered(...given).reason;

function delivered(
  terms: Partial<SignalTerms>,
  settings: Partial<Subscription> = {},
  scene: Partial<DeliveryScene> = {},
) {
  return deliveredExecution(
    signalOf(terms),
    { ...subscription, ...settings },
    {
      ...{ market: 'binance-spot', rules: testRules, balance: Decimal.parse('10000'), openSignals: 0 },
      ...{ isHalted: false, price: null, fault: null, stopMoveMs: 0, nowMs: at.getTime(), ...scene },
    },
  );
}

describe('a signal for a subscriber who has set nothing', () => {
  it('keeps the market price at which it was delivered, whatever the signal names', () => {
    const price = { price: 123.5, change24hPercent: null, time: at.getTime() };
    assert.equal(delivered({}, {}, { price }).deliveryPrice, '123.5');
    assert.equal(delivered({}).deliveryPrice, undefined);
  });

  it('sees no price of the exchange from before the signal, however far the clocks are apart', () => {
    for (const lagMs of [-30_000, 0, 3_600_000]) {
      const nowAtVenue = at.getTime() - lagMs;
      const seen = (time: number | null) => {
        const price = time === null ? null : { price: 70_000, change24hPercent: null, time };
        return delivered({}, {}, { price, lagMs }).seenAt?.getTime() ?? null;
      };
      assert.equal(seen(nowAtVenue - 100), nowAtVenue - 100);
      assert.equal(seen(null) ?? at.getTime(), nowAtVenue);
      // Nor is it deaf to what comes because of one price with a wrong time.
      assert.equal(seen(nowAtVenue + 60_000), nowAtVenue + 2_000);
    }
  });

  it('knows the clock of the exchange, by which a price is old or not', async () => {
    const pair = { base: 'BTC', quote: 'USDT' };
    const lagMs = 3_600_000;
    const ticks = () => [{ pair, price: Decimal.one, at: Date.now() - lagMs }];
    const market = { name: 'binance-spot', lagMs: () => lagMs, ticks: async () => ticks() };
    const venue = {
      ...{ markets: new Map([['SPOT', market]]), standingStops: new Set() },
      ...{ rules: async () => null },
    } as unknown as TradingVenue;
    const tools = { prices: { find: async () => null }, market: 'demo' };
    const scene = await venueScene(tools, venue, { pair, account: 'SPOT', userIds: [] });
    assert.deepEqual([scene.lagMs, scene.price?.price], [lagMs, 1]);
  });

  it('is skipped on MARGIN and FUTURES, and with more leverage or another margin than was consented to', () => {
    const futures = { account: 'FUTURES', leverage: 100, marginType: 'CROSS' } as const;
    assert.equal(skipped(futures), 'the subscription follows no signals on FUTURES accounts');
    const consent: Partial<Subscription> = { accounts: ['FUTURES'], maxLeverage: 5 };
    assert.equal(
      skipped(futures, consent),
      'the signal has a leverage of 100, and the subscription allows 5',
    );
    const low = { ...futures, leverage: 5 };
    assert.equal(skipped(low, consent), 'the subscription follows no signals with CROSS margin');
    assert.equal(skipped(low, { ...consent, marginTypes: ['CROSS'] }), null);
    assert.equal(skipped({}), null);
  });

  it('is skipped on a pair that trades little, unless the user allows it', () => {
    const thin = { turnover: Decimal.parse('999999.5') };
    assert.equal(
      skipped({}, {}, thin),
      'BTC/USDT traded 999999 USDT in 24 hours on BINANCE, less than the 1000000 USDT of the subscription',
    );
    assert.equal(skipped({}, { minTurnover: null }, thin), null);
    assert.equal(skipped({}, {}, { turnover: Decimal.parse('1000000') }), null);
    assert.equal(skipped({}, {}, { turnover: null }), null);
    const untold = skipped({}, {}, { turnover: null, lateMs: 7_000 });
    assert.equal(
      untold,
      'BINANCE does not tell what was traded of BTC/USDT in 24 hours, and the subscription wants 1000000 USDT',
    );
  });

  it('is skipped after the signals of a day', () => {
    assert.match(skipped({}, {}, { signalsOfDay: 20 })!, /^20 signals of the partner were followed today/);
    assert.equal(skipped({}, { maxSignalsPerDay: null }, { signalsOfDay: 20 }), null);
  });
});
