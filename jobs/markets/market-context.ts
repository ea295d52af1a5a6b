import type { Redis } from 'ioredis';
import type { Storage } from '../../storage/index.js';
import type { RoleContext } from '../../storage/role.js';

/** What the market worker's part for one kind of market is given. */
export interface MarketContext extends Pick<RoleContext, 'settings' | 'log' | 'report'> {
  storage: Storage;
  redis: Redis;
}
