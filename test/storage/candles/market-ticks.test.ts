import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { listenToTicks, readKeptTicks, TickPublisher } from '../../../storage/candles/market-ticks.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { until } from '../../support/process/until.js';

const tick = (since: number, at: number): MarketTick => ({
  pair: { base: 'PEPE', quote: 'USDT' },
  price: Decimal.read('1.20001e-5'),
  high: Decimal.parse('0.0000120002'),
  low: Decimal.parse('0.000012'),
  volume: at === 4_000 ? null : Decimal.parse('1234567.5'),
  since,
  at,
});

const plain = (ticks: readonly MarketTick[]): unknown => JSON.parse(JSON.stringify(ticks.map(texts)));
const texts = ({ price, high, low, volume, ...rest }: MarketTick) => ({
  ...rest,
  figures: [price, high, low, volume].map((figure) => figure && String(figure)),
});

describe('market ticks', () => {
  const context = temporaryRedis();

  it('reach listeners of their market to the last digit, each since the one before, whoever publishes', async () => {
    const heard: MarketTick[][] = [];
    const listener = listenToTicks(context.another(), 'demo', { ticks: (ticks) => heard.push([...ticks]) });
    const others: unknown[] = [];
    listenToTicks(context.another(), 'binance', { ticks: (ticks) => others.push(ticks) });
    await until('subscribed', () => listener.isUnchangedSince(listener.mark));
    const [one, other] = [1, 2].map(() => new TickPublisher(context.another(), 'demo', 1_800));
    await one.publish(2_000, (since) => [tick(since, 2_000)]);
    await other.publish(3_000, () => assert.fail('it is not its turn'));
    await other.publish(4_000, (since) => [tick(since, 4_000)]);
    await one.publish(6_000, () => []);
    await one.publish(9_000, (since) => [tick(since, 9_000)]);
    await until('heard', () => heard.length === 3);
    const expected = [tick(2_000, 2_000), tick(2_000, 4_000), tick(6_000, 9_000)];
    assert.deepEqual(
      heard.map(plain),
      expected.map((each) => plain([each])),
    );
    assert.deepEqual(others, []);
  });

  it('are kept for those that missed them, the latest some hundred', async () => {
    const publisher = new TickPublisher(context.redis, 'bybit', 0);
    for (let at = 1_000; at <= 900_000; at += 1_000) await publisher.publish(at, () => [tick(at, at)]);
    const kept = await readKeptTicks(context.redis, 'bybit', 890_000);
    assert.deepEqual(
      plain(kept),
      plain(Array.from({ length: 10 }, (_, n) => tick(891_000 + n * 1_000, 891_000 + n * 1_000))),
    );
    const all = await readKeptTicks(context.redis, 'bybit', 0);
    assert.ok(all.length >= 300 && all.length < 600, `${all.length} kept`);
    assert.deepEqual(await readKeptTicks(context.redis, 'kucoin', 0), []);
  });

  it('go on when the last one was published by a wrong clock', async () => {
    const publisher = new TickPublisher(context.redis, 'kraken', 1_800);
    const sinces: number[] = [];
    const publish = (nowMs: number) =>
      publisher.publish(nowMs, (since) => {
        sinces.push(since);
        return [];
      });
    await publish(100_000);
    // Ten seconds ahead may be the clock of another machine: it is waited for.
    await publish(90_000);
    await publish(89_999);
    assert.deepEqual(sinces, [100_000, 89_999]);
  });

  it('say when a listener may have missed some', async () => {
    let lost = 0;
    const subscriber = context.another();
    const listener = listenToTicks(subscriber, 'demo', {
      ticks: () => undefined,
      disconnected: () => lost++,
    });
    await until('subscribed', () => listener.isUnchangedSince(listener.mark));
    listener.close();
    await until('lost', () => lost === 1);
  });
});
