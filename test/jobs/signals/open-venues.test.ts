import assert from 'node:assert/strict';
import { openVenues } from '../../../jobs/signals/open-venues.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('openVenues', () => {
  const context = temporaryStorage();
  const redis = temporaryRedis();
  const venuesWith = (env: Record<string, string>) => {
    const { signal } = new AbortController();
    const settings = readSettings(env, '/');
    return [...openVenues({ settings, storage: context.storage, redis: redis.redis, signal }).entries()];
  };

  it('opens the paper exchange alone unless live trading is on', () => {
    assert.deepEqual(
      venuesWith({}).map(([name]) => name),
      ['PAPER'],
    );
  });

  it('opens the exchanges on which orders are placed with live trading, by their names', () => {
    const venues = venuesWith({ LIVE_TRADING: 'on', EXCHANGES: 'MINE=binance,OTHER=kraken' });
    assert.deepEqual(
      venues.map(([name, { id, lateMs }]) => [name, id, lateMs !== undefined]),
      [
        ['PAPER', 'PAPER', false],
        ['MINE', 'MINE', true],
      ],
    );
  });
});
