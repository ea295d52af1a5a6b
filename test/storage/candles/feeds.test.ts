import assert from 'node:assert/strict';
import { newFeed, staleSince } from '../../../storage/candles/feeds.js';
import { hourMs } from './candle-parts.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const at = Date.UTC(2024, 0, 1);
const pair = (base: string) => ({ market: 'binance', base, quote: 'USDT' });

describe('staleSince', () => {
  it('says nothing until the next hour has been over for a minute, then since when', () => {
    assert.equal(staleSince(at, at + hourMs), null);
    assert.equal(staleSince(at, at + 2 * hourMs + 60_000), null);
    assert.equal(staleSince(at, at + 2 * hourMs + 60_001), at + 2 * hourMs);
    assert.equal(staleSince(at, at + 100 * hourMs), at + 2 * hourMs);
  });
});

describe('FeedRepository', () => {
  const context = temporaryStorage();

  it('follows the given pairs and no others of the market, and keeps their feeds', async () => {
    const { feeds } = context.storage;
    const other = newFeed({ market: 'kraken', base: 'BTC', quote: 'USDT' });
    await feeds.put(other, 1);
    await feeds.follow('binance', [pair('BTC'), pair('ETH')]);
    const known = {
      ...(await feeds.find(pair('ETH')))!,
      askedFrom: at,
      stale: { since: at, reason: 'away' },
    };
    await feeds.put(known, 1);
    await feeds.follow('binance', [pair('ETH'), pair('ADA')]);
    assert.deepEqual(
      (await feeds.list('binance')).map(({ base }) => base),
      ['ADA', 'ETH'],
    );
    const { updatedAt, ...rest } = (await feeds.find(pair('ETH')))!;
    assert.deepEqual({ ...rest, updatedAt: known.updatedAt }, known);
    assert.ok(Math.abs(updatedAt.getTime() - Date.now()) < 60_000);
    assert.equal(await feeds.find(pair('BTC')), null);
    assert.equal((await feeds.list('kraken')).length, 1);
    await feeds.follow('binance', []);
    assert.deepEqual(await feeds.list('binance'), []);
  });
});
