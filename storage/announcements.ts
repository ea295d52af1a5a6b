import type { Redis } from 'ioredis';
import type { Announcements } from './index.js';
import { announceSeries } from './candles/series-announcements.js';
import { announceRevoked } from './users/revoked.js';

/** Everything that a writer tells others of. */
export const announcements = (redis: Redis): Announcements => ({
  series: announceSeries(redis),
  revoked: announceRevoked(redis),
});
