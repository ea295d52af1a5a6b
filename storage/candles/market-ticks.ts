import type { Redis } from 'ioredis';
import { Decimal } from '../../compute/model/decimal.js';
import { pairName, parsePair } from '../../compute/model/market-pair.js';
import type { PriceTick } from '../../compute/model/price.js';
import type { MarketTick } from '../../compute/model/market-tick.js';
import { ChannelListener } from '../servers/channel-listener.js';
import { awaitRedis, runScript } from '../servers/redis.js';
import { priceFields, pricesKey } from './prices.js';
import type { Market } from './series.js';

const channelOf = (market: Market) => `tidemark:ticks:${market}`;
const keptKeyOf = (market: Market) => `tidemark:ticks-kept:${market}`;

/**
 * Publishes ticks since the expected time, with prices beside them, unless the previous publication is more recent than the
 * interval (false) or at another time, which it returns. One far in the future comes from a wrong clock and is ignored. KEYS: time
 * of the last publication, kept ticks, prices. ARGV: now, interval, how far ahead, expected time, channel, how many are kept,
 * ticks, fields of prices.
 */
const publishScript = `
local now, interval, mostAhead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local last = tonumber(redis.call('GET', KEYS[1]) or '')
if last and last - now > mostAhead then last = nil end
if last and now - last < interval then return false end
if (last or now) ~= tonumber(ARGV[4]) then return last or now end
redis.call('SET', KEYS[1], ARGV[1])
if ARGV[7] ~= '' then
  -- Kept first: a listener that misses the message finds it there.
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[6], '*', 'ticks', ARGV[7])
  redis.call('PUBLISH', ARGV[5], ARGV[7])
end
for n = 8, #ARGV, 1000 do redis.call('HSET', KEYS[3], unpack(ARGV, n, math.min(n + 999, #ARGV))) end
return 'told'`;

const mostAheadMs = 10_000;

/** Publications that are kept for listeners that have missed some: ten minutes of one every two seconds. */
const keptPublications = 300;

/** Publishes the ticks of a market on its Redis channel. Several processes share the work: each tick is published once. */
export class TickPublisher {
  readonly #redis: Redis;
  readonly #market: Market;
  readonly #intervalMs: number;
  /** When this process last published; -Infinity while another one does. */
  #lastMs = -Infinity;

  /** `intervalMs`: the shortest time between two publications by `publish`, over all processes. */
  constructor(redis: Redis, market: Market, intervalMs: number) {
    this.#redis = redis;
    this.#market = market;
    this.#intervalMs = intervalMs;
  }

  /**
   * Publishes ticks at once, in one round trip, for the only process that publishes the market. `kept`: how many publications
   * are kept for listeners that have missed some. Throws `redis_unavailable`.
   */
  async tell(ticks: readonly MarketTick[], kept: number): Promise<void> {
    const text = JSON.stringify(ticks.map(toText));
    const keep = this.#redis.xadd(keptKeyOf(this.#market), 'MAXLEN', '~', kept, '*', 'ticks', text);
    await Promise.all([awaitRedis(keep), awaitRedis(this.#redis.publish(channelOf(this.#market), text))]);
  }

  /**
   * Publishes what `ticksSince` returns for the time of the previous publication, which is `nowMs` if there was none, and stores
   * the prices. Does nothing when another process has published within the interval. Throws `redis_unavailable`.
   */
  async publish(
    nowMs: number,
    ticksSince: (sinceMs: number) => readonly MarketTick[],
    prices: readonly PriceTick[] = [],
  ): Promise<void> {
    const fromLast = nowMs - this.#lastMs;
    // It was this process most of the time: then one command does it.
    let since = fromLast >= this.#intervalMs ? this.#lastMs : -Infinity;
    const market = this.#market;
    for (;;) {
      const ticks = since === -Infinity ? [] : ticksSince(since);
      const text = ticks.length === 0 ? '' : JSON.stringify(ticks.map(toText));
      const keys = [`tidemark:ticks-at:${market}`, keptKeyOf(market), pricesKey(market)];
      const terms = [nowMs, this.#intervalMs, mostAheadMs, since, channelOf(market), keptPublications];
      const args = [...terms, text, ...priceFields(prices)];
      const last = await runScript(this.#redis, publishScript, keys, args);
      if (typeof last !== 'number') {
        this.#lastMs = last === 'told' ? nowMs : -Infinity;
        return;
      }
      since = last;
    }
  }
}

export interface TickListener {
  /** Called with the ticks of one moment, at most one for each pair. */
  ticks: (ticks: readonly MarketTick[]) => void;
  /** Called when the connection is lost; ticks are missed until it is back. */
  disconnected?: () => void;
}

/** Listens for the ticks of a market on a connection that nothing else uses. Ticks missed while it is lost are not repeated. */
export const listenToTicks = (
  subscriber: Redis,
  market: Market,
  { ticks, disconnected }: TickListener,
): ChannelListener =>
  new ChannelListener(subscriber, {
    channel: channelOf(market),
    onMessage: (message) => ticks((JSON.parse(message) as TickText[]).map(toTick)),
    onMissed: () => disconnected?.(),
  });

/** The ticks of about the last ten minutes that are later than a time (ms), the oldest first. Throws `redis_unavailable`. */
export async function readKeptTicks(redis: Redis, market: Market, sinceMs: number): Promise<MarketTick[]> {
  const entries = await awaitRedis(redis.xrange(keptKeyOf(market), '-', '+'));
  return entries
    .flatMap(([, [, text]]) => (JSON.parse(text) as TickText[]).map(toTick))
    .filter(({ at }) => at > sinceMs);
}

/** A tick with decimals as texts. */
type TickText = Record<'pair' | 'price' | 'high' | 'low', string> & {
  volume: string | null;
  since: number;
  at: number;
};

const toText = ({ pair, price, high, low, volume, since, at }: MarketTick): TickText => ({
  pair: pairName(pair),
  price: String(price),
  high: String(high),
  low: String(low),
  volume: volume && String(volume),
  since,
  at,
});

function toTick({ pair, price, high, low, volume, since, at }: TickText): MarketTick {
  return {
    pair: parsePair(pair)!,
    price: Decimal.parse(price),
    high: Decimal.parse(high),
    low: Decimal.parse(low),
    volume: volume === null ? null : Decimal.parse(volume),
    since,
    at,
  };
}
