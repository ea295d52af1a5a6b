import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { noPosition } from '../../../../compute/signals/execution.js';
import { ExecutionRun } from '../../../../jobs/signals/run/execution-run.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import type { Placement } from '../../../../storage/exchanges/trading-venue.js';
import type { StoredOrder } from '../../../../storage/signals/stored-execution.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

const d = (text: string) => Decimal.parse(text);
const position = { ...noPosition, quantity: d('5'), entered: d('5'), entryValue: d('500') };
const entry: StoredOrder = { ...storedOrder, status: 'open', exchangeOrderId: '7' };
const fill = {
  ...{ tradeId: 'a', quantity: d('1'), price: d('100'), baseFee: Decimal.zero, quoteFee: Decimal.zero },
  at: 1,
};

/** An execution that holds 5, with a purchase of 1 more on the exchange. */
const holding = (more: Parameters<typeof makeStoredExecution>[0] = {}) =>
  new ExecutionRun(
    makeStoredExecution({
      ...{ status: 'open', orders: [{ ...entry, fills: [] }] },
      state: encodeExecution({ ...makeExecution(), status: 'open', position, lastPrice: d('100') }),
      ...more,
    }),
    1_000,
  );

describe('ExecutionRun', () => {
  const observed = { lookUp: [], held: '3', line: null };

  it('lowers the position to what a comparison has found', () => {
    const run = holding({ observed });
    run.applyObserved(2);
    assert.equal(String(run.state.position.quantity), '3');
  });

  it('leaves a comparison out that was made before a fill', () => {
    const run = holding({ observed });
    const found = {
      clientOrderId: 'order',
      exchangeOrderId: '7',
      status: 'open',
      filled: d('1'),
      fills: [fill],
    } as const;
    run.applyFound(run.openOrders(2)[0], found, 2);
    run.applyObserved(2);
    assert.equal(String(run.state.position.quantity), '6');
    assert.equal(run.toStore(3).observed, null);
  });

  it('ends an order that the exchange has shown and does not know for four minutes', () => {
    const stop: StoredOrder = {
      ...entry,
      leg: 'stop',
      side: 'sell',
      type: 'stop',
      stopPrice: '90',
      reduces: true,
    };
    const standing = {
      leg: 'stop',
      revision: 1,
      side: 'sell',
      type: 'stop',
      price: null,
      reduces: true,
    } as const;
    const order = { ...standing, stopPrice: d('90'), quantity: d('5'), filled: Decimal.zero };
    const execution = { ...makeExecution({}, { stopOnExchange: true }), status: 'open', position } as const;
    const orders = [{ ...order, state: 'placed', filledAtEnd: null }] as const;
    const run = holding({
      orders: [{ ...stop, quantity: '5', fills: [] }],
      state: encodeExecution({ ...execution, orders, revisions: { stop: 1 }, lastPrice: d('100') }),
    });
    const statuses = [0, 1, 60, 61, 120, 180, 240].map((seconds) => {
      const [asked] = run.openOrders(seconds * 1_000);
      run.applyFound(asked, null, seconds * 1_000);
      return asked.status;
    });
    assert.deepEqual(statuses, [...Array<string>(6).fill('open'), 'cancelled']);
    assert.deepEqual(run.toPlace, []);
    run.applyTime(242_000);
    assert.deepEqual(
      run.toPlace.map(({ leg, revision, quantity }) => [leg, revision, quantity]),
      [['stop', 2, '5']],
    );
  });

  it('places a stop again that the exchange does not know after two seconds, and other orders once they cannot come any more', () => {
    const placedAgainAfter = (order: StoredOrder) => {
      const orders = [{ ...order, createdAt: new Date(0), fills: [] }];
      const run = holding({ orders });
      for (let seconds = 1; seconds < 60; seconds++) {
        for (const each of run.openOrders(seconds * 1_000)) run.applyFound(each, null, seconds * 1_000);
        if (run.toPlace.length > 0) return seconds;
      }
      return null;
    };
    const unsure = { ...storedOrder, status: 'unknown' } as const;
    assert.equal(placedAgainAfter({ ...unsure, leg: 'stop', type: 'stop', reduces: true }), 2);
    // Sent within 10 s, and taken within the second that `holding` allows.
    assert.equal(placedAgainAfter(unsure), 13);
  });

  it('looks for an order that may have bought every 2 s at least, whether the exchange does not know it yet or does not answer', () => {
    const silence = { unknown: 'no answer' };
    for (const answers of [[null], [silence], [null, silence], [silence, null, null]] as const)
      for (const status of ['sent', 'unknown'] as const) {
        const order = { ...storedOrder, status, createdAt: new Date(0), fills: [] };
        const run = holding({ orders: [order] });
        const pauses: number[] = [];
        let n = 0;
        // It may arrive until 11 s: sent within 10 s, and taken within the second that `holding` allows.
        for (let nowMs = 2_000, arrivesUntil = 11_000; nowMs < arrivesUntil;) {
          const [asked] = run.openOrders(nowMs);
          run.applyFound(asked, answers[n++ % answers.length], nowMs);
          const again = asked.retryAt!.getTime();
          pauses.push(again - nowMs);
          nowMs = again;
        }
        assert.ok(Math.max(...pauses) <= 2_000, `${status}: ${pauses.join(', ')}`);
        assert.ok(Math.min(...pauses) >= 1_000 - 1, `${status}: ${pauses.join(', ')}`);
      }
  });

  it('lets an order take the place of one that the exchange may have, not of one that it does not know', () => {
    const stop: StoredOrder = {
      ...storedOrder,
      clientOrderId: 'old',
      leg: 'stop',
      type: 'stop',
      reduces: true,
    };
    const old: StoredOrder = { ...stop, status: 'unknown', cancelWanted: true, fills: [] };
    const close: StoredOrder = {
      ...storedOrder,
      clientOrderId: 'new',
      leg: 'close',
      side: 'sell',
      reduces: true,
    };
    const successor = { ...close, replaces: { clientOrderId: 'old', filled: '0' } };
    const run = holding({ orders: [old, successor] });
    const [asked] = run.openOrders(1);
    assert.equal(run.replacedBy(successor), asked);
    run.applyFound(asked, null, 1);
    assert.equal(run.replacedBy(successor), undefined);
    const shown = {
      clientOrderId: 'old',
      exchangeOrderId: '7',
      status: 'open',
      filled: d('0'),
      fills: [],
    } as const;
    run.applyFound(asked, shown, 2);
    assert.equal(run.replacedBy(successor), asked);
  });

  it('goes on with an order that the exchange shows again', () => {
    const run = holding();
    const [order] = run.openOrders(0);
    for (const seconds of [0, 60, 120, 180]) run.applyFound(order, null, seconds * 1_000);
    const shown = {
      clientOrderId: 'order',
      exchangeOrderId: '7',
      status: 'open',
      filled: d('0'),
      fills: [],
    } as const;
    run.applyFound(order, shown, 200_000);
    run.applyFound(order, null, 260_000);
    assert.deepEqual([order.status, order.missed], ['open', 1]);
  });

  it('asks at least every 5 s in an outage of 3 minutes for what protects, closes or may have bought; an entry that was not sent waits longer and longer', () => {
    const outageMs = 3 * 60_000;
    /** The longest time (ms) from one try to the next. */
    const longestPause = (order: StoredOrder, answer: Placement): number => {
      const run = holding({ orders: [{ ...order, createdAt: new Date(0), fills: [] }] });
      const [asked] = run.openOrders(0);
      const pauses: number[] = [];
      for (let nowMs = 0; nowMs < outageMs; nowMs = asked.retryAt!.getTime()) {
        run.applyPlacement(asked, answer, nowMs);
        pauses.push(asked.retryAt!.getTime() - nowMs);
      }
      return Math.max(...pauses);
    };
    const close = { ...storedOrder, leg: 'close', side: 'sell', type: 'market', reduces: true } as const;
    const stop = { ...close, leg: 'stop', type: 'stop', stopPrice: '90' } as const;
    const postponed = { postponed: 'maintenance' };
    for (const [answer, entryMs] of [
      [postponed, 60_000],
      [{ unknown: 'no answer' }, 5_000],
    ] as const)
      assert.deepEqual(
        [storedOrder, close, stop].map((order) => longestPause({ ...order, status: 'unknown' }, answer)),
        [entryMs, 5_000, 5_000],
      );
    const asksForTen = { ...postponed, retryAfterMs: 10_000 };
    assert.equal(longestPause({ ...close, status: 'unknown' }, asksForTen), 10_000);
  });

  it('looks again after a second at an order that waits for others, whether it may have been sent or not', () => {
    const state = encodeExecution(makeExecution());
    const stored = makeStoredExecution({ state, orders: [{ ...storedOrder, status: 'sent', fills: [] }] });
    // On paper an order that may have been sent is placed again without harm.
    const run = new ExecutionRun(stored, undefined);
    run.defer(run.toPlace[0], 'others ask for the same limit', 10_000);
    assert.deepEqual(run.toPlace, []);
    const { orders, dueAt } = run.toStore(10_000);
    assert.deepEqual([orders[0].status, dueAt], ['sent', new Date(11_000)]);
    assert.equal(new ExecutionRun({ ...stored, orders }, undefined).toPlace.length, 1);
  });

  it('keeps every order with a trade and the newest 200 without', () => {
    const orders = Array.from({ length: 300 }, (_, n): StoredOrder => ({
      ...{ ...storedOrder, clientOrderId: `order ${n}`, leg: 'stop', revision: n, status: 'cancelled' },
      fills:
        n === 0
          ? [{ ...fill, quantity: '1', price: '100', baseFee: '0', quoteFee: '0', at: new Date(1) }]
          : [],
    }));
    const kept = holding({ orders: [...orders, entry] })
      .toStore(2)
      .orders.map(({ clientOrderId: id }) => id);
    assert.deepEqual(kept, ['order 0', ...orders.slice(100).map(({ clientOrderId: id }) => id), 'order']);
  });

  it('keeps a thousand lines, and drops those first that repeat', () => {
    const line = { at: new Date(0), cause: 'it is so', figures: {} };
    const events = Array.from({ length: 1_000 }, (_, n) => ({
      ...line,
      type: n < 5 ? 'bought' : 'order_refused',
    }));
    const run = holding({ events });
    for (let n = 0; n < 3; n++) run.noteLiquidationPrice(d(String(n + 1)), 1);
    const { events: kept } = run.toStore(2);
    assert.equal(kept.length, 1_000);
    assert.deepEqual(
      [kept.filter(({ type }) => type === 'bought').length, kept.at(-1)!.figures.price],
      [5, '3'],
    );
  });
});
