import type { Redis } from 'ioredis';
import type { Storage } from '../../storage/index.js';
import type { RoleContext, RunningRole } from '../../storage/process/role.js';

/** What the market worker's part for one kind of market is given. */
export interface MarketContext extends Pick<RoleContext, 'settings' | 'log' | 'report'> {
  storage: Storage;
  redis: Redis;
}

/** A market that is kept up to date. */
export interface RunningMarket extends RunningRole {
  /** Looks whether the candles of every pair are there, has missing ones made up, and says how it stands. */
  check(): Promise<string>;
}
