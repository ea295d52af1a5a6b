import type { Redis } from 'ioredis';
import type { Announcements } from './index.js';
import { announceSeries } from './candles/series-directory.js';
import { announceRevoked } from './users/revoked.js';

/** Announces changes over Redis. */
export const announcements = (redis: Redis): Announcements => ({
  series: announceSeries(redis),
  revoked: announceRevoked(redis),
});
