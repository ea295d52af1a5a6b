import type { Redis } from 'ioredis';
import type { Storage } from '../../storage/index.js';
import type { RoleContext, RunningRole } from '../../storage/process/role.js';

/** What the followers of a market and of accounts get from their market worker. */
export interface MarketContext extends Pick<RoleContext, 'settings' | 'log' | 'report'> {
  storage: Storage;
  redis: Redis;
}

/** A market that is being kept up to date. */
export interface RunningMarket extends RunningRole {
  /** Checks the candles of every pair, starts the repair of missing ones, and returns the state as text. */
  check(): Promise<string>;
}
