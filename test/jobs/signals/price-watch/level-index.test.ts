import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../../compute/model/decimal.js';
import { LevelIndex } from '../../../../jobs/signals/price-watch/level-index.js';
import type { WatchedExecution } from '../../../../storage/signals/watched-execution.js';

const d = (value: number | string) => Decimal.parse(String(value));

const watched = (id: string, low: number | null, high: number | null, revision = 1): WatchedExecution => ({
  ...{ id, revision, pair: 'BTC/USDT', partnerId: 'partner', slot: 0, everyTick: false, seenMs: null },
  ...{ market: 'demo', createdMs: 0 },
  low: low === null ? null : d(low),
  high: high === null ? null : d(high),
});

const announced = (levels: WatchedExecution) => ({ id: levels.id, revision: levels.revision, levels });
const at = (price: number) => ({ price: d(price), high: d(price), low: d(price) });
const ids = (all: WatchedExecution[]) => all.map(({ id }) => id).sort();

describe('LevelIndex', () => {
  it('takes out the executions whose levels a price reaches, each once', () => {
    const index = new LevelIndex();
    for (const each of [watched('a', 90, 110), watched('b', 95, null), watched('c', null, 120)])
      index.set(announced(each));
    assert.deepEqual(ids(index.take('BTC/USDT', at(100))), []);
    assert.deepEqual(ids(index.take('BTC/USDT', at(95))), ['b']);
    assert.deepEqual(ids(index.take('BTC/USDT', at(95))), []);
    assert.deepEqual(ids(index.take('ETH/USDT', at(1))), []);
    assert.deepEqual(ids(index.take('BTC/USDT', { price: d(100), high: d(120), low: d(89) })), ['a', 'c']);
  });

  it('gives an execution that waits for any price the next one', () => {
    const index = new LevelIndex();
    index.set(announced({ ...watched('a', null, null), everyTick: true }));
    assert.deepEqual(ids(index.take('BTC/USDT', at(100))), ['a']);
    assert.deepEqual(ids(index.take('BTC/USDT', at(100))), []);
  });

  it('follows the latest revision, in whichever order they come', () => {
    const index = new LevelIndex();
    assert.ok(index.set(announced(watched('a', 90, null, 2))));
    assert.ok(!index.set(announced(watched('a', 99, null, 1))));
    assert.deepEqual(index.take('BTC/USDT', at(95)), []);
    assert.ok(index.set({ id: 'a', revision: 3, levels: null }));
    assert.deepEqual(index.take('BTC/USDT', at(1)), []);
    assert.equal(index.size, 0);
  });

  it('puts back what could not be stored, unless it has announced something since', () => {
    const index = new LevelIndex();
    index.set(announced(watched('a', 90, null)));
    const [taken] = index.take('BTC/USDT', at(90));
    index.putBack(taken);
    assert.deepEqual(ids(index.take('BTC/USDT', at(90))), ['a']);
    index.set(announced(watched('a', 80, null, 2)));
    index.putBack(taken);
    assert.deepEqual(index.take('BTC/USDT', at(90)), []);
  });

  it('answers what comparing every execution would', () => {
    const price = fc.integer({ min: 1, max: 30 });
    const level = fc.option(price, { nil: null });
    const step = fc.oneof(
      fc.record({ id: fc.integer({ min: 0, max: 20 }), low: level, high: level }),
      fc.record({ price, other: price }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const index = new LevelIndex();
        const naive = new Map<string, WatchedExecution>();
        let revision = 0;
        for (const each of steps) {
          if ('id' in each) {
            const levels = watched(`e${each.id}`, each.low, each.high, ++revision);
            naive.set(levels.id, levels);
            index.set(announced(levels));
            continue;
          }
          const [low, high] = [each.price, each.other].sort((one, other) => one - other).map(d);
          const isReached = ({ low: below, high: above }: WatchedExecution) =>
            [below && low.compare(below) <= 0, above && high.compare(above) >= 0].includes(true);
          const expected = [...naive.values()].filter(isReached);
          for (const { id } of expected) naive.delete(id);
          assert.deepEqual(ids(index.take('BTC/USDT', { price: low, high, low })), ids(expected));
        }
      }),
      { numRuns: 500 },
    );
  });
});
