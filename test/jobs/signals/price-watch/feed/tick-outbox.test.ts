import assert from 'node:assert/strict';
import { Decimal } from '../../../../../compute/model/decimal.js';
import type { MarketTick } from '../../../../../compute/model/market-tick.js';
import { TickOutbox } from '../../../../../jobs/signals/price-watch/feed/tick-outbox.js';
import { until } from '../../../../support/process/until.js';

const tick = (text: string, at: number, base = 'BTC'): MarketTick => {
  const price = Decimal.parse(text);
  return { pair: { base, quote: 'USDT' }, price, high: price, low: price, volume: null, since: at, at };
};
const textOf = ({ pair, price, high, low, since, at }: MarketTick) =>
  `${pair.base} ${String(price)} ${String(low)}-${String(high)} ${since}-${at}`;

describe('TickOutbox', () => {
  let sent: string[][];
  let errors: unknown[];
  let send: (ticks: readonly MarketTick[]) => Promise<void>;
  let outbox: TickOutbox;
  beforeEach(() => {
    [sent, errors] = [[], []];
    send = async (ticks) => void sent.push(ticks.map(textOf));
    outbox = new TickOutbox({
      send: (ticks) => send(ticks),
      onError: (error) => void errors.push(error),
    });
  });
  afterEach(() => outbox.close());
  const flushed = async (count: number) => {
    outbox.flush();
    await until(`${count} sendings`, () => sent.length === count);
  };

  it('sends the ticks of a pair as one with their range, each later than the one before', async () => {
    for (const each of [tick('100', 10), tick('103', 11), tick('99', 11), tick('5', 7, 'ETH')])
      outbox.add(each);
    await flushed(1);
    outbox.add(tick('101', 11));
    await flushed(2);
    assert.deepEqual(sent, [['BTC 99 99-103 10-11', 'ETH 5 5-5 7-7'], ['BTC 101 101-101 11-12']]);
  });

  it('reaches back as far as the extremes that a tick brings', async () => {
    outbox.add(tick('100', 20));
    await flushed(1);
    outbox.add({ ...tick('101', 30), high: Decimal.parse('150'), since: 5 });
    await flushed(2);
    outbox.add(tick('102', 40));
    await flushed(3);
    assert.deepEqual(sent, [['BTC 100 100-100 20-20'], ['BTC 101 101-150 5-30'], ['BTC 102 102-102 30-40']]);
  });

  it('sends again what was not sent, with its range', async () => {
    const works = send;
    send = () => Promise.reject(new Error('away'));
    outbox.add(tick('100', 10));
    outbox.flush();
    await until('the failure', () => errors.length > 0);
    send = works;
    outbox.add(tick('90', 20));
    await flushed(1);
    assert.deepEqual(sent, [['BTC 90 90-100 10-20']]);
  });

  it('sends what waits when it is closed, and nothing afterwards', async () => {
    outbox.add(tick('100', 10));
    await outbox.close();
    outbox.add(tick('90', 20));
    outbox.flush();
    assert.deepEqual(sent, [['BTC 100 100-100 10-10']]);
  });
});
