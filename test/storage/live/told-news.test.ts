import assert from 'node:assert/strict';
import { viewColumns, type CoreLineView, type TrendState } from '../../../compute/model/core-line.js';
import { CoreLineRepository } from '../../../storage/candles/core-lines.js';
import type { LiveEvent, TellLive } from '../../../storage/live/live-events.js';
import { ExecutionNews } from '../../../storage/signals/level-announcements.js';
import { freshPair, temporaryStorage } from '../../support/servers/temporary-storage.js';
import { filledOrder } from '../../support/signals/ended-execution.js';
import { makeStoredExecution } from '../../support/signals/make-stored-execution.js';

const columns = Object.fromEntries(viewColumns.map((name) => [name, new Float64Array(3)]));

const viewOf = (state: TrendState | null, asOf: number): CoreLineView => ({
  state,
  since: asOf,
  candlesInState: 1,
  daysInState: 1,
  price: 100,
  asOf,
  flipPrice: null,
  readingsDiffer: null,
  statistics: { method: 'none', durations: [], forwardReturns: [] },
  flips: [],
  columns: columns as CoreLineView['columns'],
});

describe('what is told as it happens', () => {
  const temporary = temporaryStorage();
  let told: LiveEvent[] = [];
  const tell: TellLive = (events) => Promise.resolve(void told.push(...events));
  beforeEach(() => (told = []));

  it('is a flip once a later candle has another state', async () => {
    const coreLines = new CoreLineRepository(temporary.db, tell);
    const pair = freshPair();
    const key = { ...pair, interval: '1d' } as const;
    const puts: [TrendState | null, number][] = [
      [null, 1],
      ['wait', 2],
      ['wait', 3],
      ['distribute', 4],
      // Two nodes can compute the same candle, and one of them an earlier one, late.
      ['distribute', 4],
      ['wait', 3],
    ];
    for (const [state, asOf] of puts)
      await coreLines.put(key, { basis: String(asOf), view: viewOf(state, asOf) });
    assert.deepEqual(
      told.map(({ data }) => data),
      [
        ['wait', 2],
        ['distribute', 4],
      ].map(([state, since]) => ({
        ...{ asset: pair.base, tradeMarket: 'USDT', interval: '1d', state },
        since: new Date(since).toISOString(),
      })),
    );
  });

  it('is each line and order of an execution, once, for its owner', async () => {
    const news = new ExecutionNews(tell);
    const execution = makeStoredExecution({ status: 'open' });
    const order = filledOrder('buy', [], { status: 'open', filled: '0' });
    const bought = { ...order, status: 'filled' as const, filled: '1' };
    const line = { at: new Date(0), type: 'bought', cause: 'an order was filled', figures: {} };
    for (const more of [
      {},
      {},
      { orders: [order] },
      { orders: [order] },
      { orders: [bought], events: [line] },
    ])
      await news.tell([{ ...execution, ...more }]);
    const { userId, signalId } = execution;
    const { clientOrderId: id } = order;
    assert.ok(told.every(({ to }) => typeof to === 'object' && to.userId === userId));
    assert.deepEqual(
      told.map(({ name, data }) => [name, data]),
      [
        ['signal', { id: signalId, exchange: 'PAPER', status: 'open', event: { type: null, cause: null } }],
        ['order', { id, signal: signalId, status: 'open', filled: '0' }],
        ['order', { id, signal: signalId, status: 'filled', filled: '1' }],
        [
          'signal',
          {
            ...{ id: signalId, exchange: 'PAPER', status: 'open' },
            event: { type: 'bought', cause: 'an order was filled' },
          },
        ],
      ],
    );
  });
});
