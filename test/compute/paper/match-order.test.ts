import assert from 'node:assert/strict';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { matchOrder } from '../../../compute/paper/match-order.js';
import { progressOf, type PaperEvent } from '../../../compute/paper/paper-order.js';
import {
  paperOrder,
  roundTerms,
  tickAt,
  wholeRules,
  type OrderTexts,
} from '../../support/paper/paper-cases.js';

const market = { rules: wholeRules, terms: roundTerms };

function eventsOf(texts: OrderTexts, ...ticks: MarketTick[]): PaperEvent[] {
  const events: PaperEvent[] = [];
  for (const tick of ticks) {
    const event = matchOrder(paperOrder(texts), progressOf(events), tick, market);
    if (event) events.push(event);
  }
  return events;
}

/** Each event as one text: what, quantity at price, fees, end. */
const told = (texts: OrderTexts, ...ticks: MarketTick[]) =>
  eventsOf(texts, ...ticks).map(({ kind, fill, end, at }) =>
    [
      `${at / 1_000}s ${kind}`,
      ...(fill ? [`${String(fill.quantity)} at ${String(fill.price)}`] : []),
      ...(fill ? [`fees ${String(fill.baseFee)} and ${String(fill.quoteFee)}`] : []),
      ...(end ? [end] : []),
    ].join(', '),
  );

describe('matchOrder', () => {
  it('leaves a limit order alone until its price is reached', () => {
    assert.deepEqual(told({}, tickAt(2, '101'), tickAt(4, '102', { low: '101' })), []);
    assert.deepEqual(told({ side: 'sell' }, tickAt(2, '99'), tickAt(4, '98', { high: '99' })), []);
  });

  it('fills at its own price, as a maker, what the range passed', () => {
    const range = { high: '103', low: '97' };
    assert.deepEqual(told({}, tickAt(2, '105'), tickAt(4, '102', range)), [
      '4s fill, 1 at 100, fees 0.01 and 0, filled',
    ]);
    assert.deepEqual(told({ side: 'sell' }, tickAt(2, '95'), tickAt(4, '98', range)), [
      '4s fill, 1 at 100, fees 0 and 1, filled',
    ]);
  });

  it('fills at the price of the tick what a gap jumped over', () => {
    assert.deepEqual(told({}, tickAt(2, '105'), tickAt(4, '95', { high: '96', low: '94' })), [
      '4s fill, 1 at 95, fees 0.01 and 0, filled',
    ]);
    assert.deepEqual(told({ side: 'sell' }, tickAt(2, '95'), tickAt(4, '105')), [
      '4s fill, 1 at 105, fees 0 and 1.05, filled',
    ]);
  });

  it('fills with the first tick as a taker, at its price, what was placed beyond the market', () => {
    assert.deepEqual(told({}, tickAt(2, '95')), ['2s fill, 1 at 95, fees 0.02 and 0, filled']);
    assert.deepEqual(told({ side: 'sell' }, tickAt(2, '105')), ['2s fill, 1 at 105, fees 0 and 2.1, filled']);
  });

  it('does not act on prices from before the order', () => {
    const range = { high: '120', low: '80' };
    assert.deepEqual(told({ placedAt: 1_000 }, tickAt(2, '101', range)), []);
    assert.deepEqual(told({ placedAt: 2_000 }, tickAt(2, '90', range)), []);
    assert.deepEqual(
      told(
        { type: 'stop', side: 'sell', price: null, stopPrice: '90', placedAt: 1_000 },
        tickAt(2, '101', range),
      ),
      [],
    );
  });

  it('fills at market with slippage against the order, on the tick', () => {
    const buy = { type: 'market', price: null, bound: '103' } as const;
    assert.deepEqual(told(buy, tickAt(2, '101')), ['2s fill, 1 at 103, fees 0.02 and 0, filled']);
    const sell = { type: 'market', side: 'sell', price: null } as const;
    assert.deepEqual(told(sell, tickAt(2, '101')), ['2s fill, 1 at 99, fees 0 and 1.98, filled']);
    assert.deepEqual(told(sell, tickAt(2, '1')), ['2s fill, 1 at 1, fees 0 and 0.02, filled']);
  });

  it('ends a purchase at market that would cost more than it has locked', () => {
    const [event] = eventsOf({ type: 'market', price: null, bound: '103' }, tickAt(2, '103'));
    assert.deepEqual(event, {
      number: 0,
      kind: 'end',
      fill: null,
      end: 'expired',
      reason: 'the price moved to 105, above the 103 that the order could cost at most',
      at: 2_000,
    });
  });

  it('turns a stop into an order at market at its level, or at the tick after a gap', () => {
    const stop = { type: 'stop', side: 'sell', price: null, stopPrice: '100' } as const;
    assert.deepEqual(told(stop, tickAt(2, '101'), tickAt(4, '98', { high: '101' })), [
      '4s fill, 1 at 99, fees 0 and 1.98, filled',
    ]);
    assert.deepEqual(told(stop, tickAt(2, '101'), tickAt(4, '90')), [
      '4s fill, 1 at 89, fees 0 and 1.78, filled',
    ]);
    const cover = { type: 'stop', price: null, stopPrice: '100', bound: '120' } as const;
    assert.deepEqual(told(cover, tickAt(2, '99'), tickAt(4, '102', { low: '99' })), [
      '4s fill, 1 at 101, fees 0.02 and 0, filled',
    ]);
  });

  it('goes on selling at market after a stop that one tick fills in part, also above the stop', () => {
    const stop = { type: 'stop', side: 'sell', price: null, stopPrice: '100' } as const;
    const told1 = told(stop, tickAt(2, '101'), tickAt(4, '100', { volume: '2' }), tickAt(6, '110'));
    assert.deepEqual(told1, [
      '4s fill, 0.5 at 99, fees 0 and 0.99',
      '6s fill, 0.5 at 108, fees 0 and 1.08, filled',
    ]);
  });

  it('turns a stop with a limit into a limit order, which rests when the price is beyond the limit', () => {
    const stop = { type: 'stop', side: 'sell', price: '95', stopPrice: '100' } as const;
    assert.deepEqual(told(stop, tickAt(2, '101'), tickAt(4, '98')), [
      '4s fill, 1 at 98, fees 0 and 1.96, filled',
    ]);
    assert.deepEqual(
      told(stop, tickAt(2, '101'), tickAt(4, '90'), tickAt(6, '94'), tickAt(8, '96', { low: '94' })),
      ['4s triggered', '8s fill, 1 at 95, fees 0 and 0.95, filled'],
    );
  });

  it('fills a quarter of the volume of each tick, down to the step, and never less than the smallest quantity', () => {
    const volumes = (...all: (string | null)[]) =>
      all.map((volume, n) => tickAt(2 + 2 * n, '95', { volume }));
    assert.deepEqual(told({}, ...volumes('1.99', '0', '4')), [
      '2s fill, 0.49 at 95, fees 0.0098 and 0',
      '4s fill, 0.05 at 95, fees 0.0005 and 0',
      '6s fill, 0.46 at 95, fees 0.0046 and 0, filled',
    ]);
    assert.deepEqual(told({ quantity: '1000' }, ...volumes(null)), [
      '2s fill, 1000 at 95, fees 20 and 0, filled',
    ]);
  });

  it('takes nothing from a tick that comes again, or late', () => {
    const tick = tickAt(4, '95', { volume: '2' });
    assert.deepEqual(told({}, tick, tick, tickAt(2, '95')), ['4s fill, 0.5 at 95, fees 0.005 and 0']);
  });

  it('does nothing to an order that has ended', () => {
    const filled = eventsOf({}, tickAt(2, '95'));
    assert.equal(matchOrder(paperOrder(), progressOf(filled), tickAt(4, '95'), market), null);
  });

  it('gives what the trader receives no more than exactly, to the last digit', () => {
    const [{ fill }] = eventsOf({ quantity: '0.33' }, tickAt(2, '7'));
    assert.equal(String(fill!.baseFee), '0.0066');
  });
});
