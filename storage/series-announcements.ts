import type { Redis } from 'ioredis';
import { ChannelListener } from './channel-listener.js';
import type { Market } from './series.js';

/** The channel on which writers of candles tell which series have changed: ids, separated by spaces. */
const channel = 'tidemark:series';

/** Where Redis counts the changes of a market. */
export const versionKey = (market: Market): string => `tidemark:version:${market}`;

/** Tells everyone who listens that series have changed. They see it in time even if this fails. */
export const announceSeries =
  (redis: Redis) =>
  async (ids: readonly string[]): Promise<void> => {
    const markets = new Set(ids.map((id) => id.split(':')[0]));
    const told = redis.multi();
    for (const market of markets) told.incr(versionKey(market));
    await told
      .publish(channel, ids.join(' '))
      .exec()
      .catch(() => undefined);
  };

export interface SeriesListener {
  /** Series, by id, that have changed. */
  changed: (ids: readonly string[]) => void;
  /** Nothing is heard any more, until the connection is back. */
  deaf?: () => void;
}

/** Hears of changed series over a connection of its own; what is told while that is lost is not told again. */
export const listenToSeries = (subscriber: Redis, { changed, deaf }: SeriesListener): ChannelListener =>
  new ChannelListener(subscriber, {
    channel,
    heard: (ids) => changed(ids.split(' ')),
    lost: () => deaf?.(),
  });
