import type { Redis } from 'ioredis';
import { ChannelListener } from '../servers/channel-listener.js';

/** The channel on which writers of candles tell which series have changed: ids, separated by spaces. */
const channel = 'tidemark:series';

/** Tells everyone who listens that series have changed. Listeners see it in time even if this fails. */
export const announceSeries =
  (redis: Redis) =>
  async (ids: readonly string[]): Promise<void> => {
    await redis.publish(channel, ids.join(' ')).catch(() => undefined);
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
