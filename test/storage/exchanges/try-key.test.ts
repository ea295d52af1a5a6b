import assert from 'node:assert/strict';
import { KnownExchanges } from '../../../storage/exchanges/known-exchanges.js';
import { OpenExchanges } from '../../../storage/exchanges/open-exchanges.js';
import { tryKey } from '../../../storage/exchanges/try-key.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { FakeExchange } from '../../support/fake-exchange/fake-exchange.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const key = { apiKey: 'k'.repeat(24), secret: 's'.repeat(36), passphrase: 'the passphrase' };

describe('tryKey', () => {
  const context = temporaryRedis();

  it('requires a passphrase where the keys of the exchange have one, and text that can be sent, before it sends a request', async () => {
    const exchange = await FakeExchange.open([{ base: 'BTC', quote: 'USDT', price: '50' }], 'kucoin');
    try {
      const { setup } = exchange.account({ ...key, uid: 165111215 });
      const settings = readSettings({ EXCHANGES: `KUCOIN=kucoin@${exchange.url}` }, '.');
      const { signal } = new AbortController();
      const known = new KnownExchanges(settings);
      const exchanges = new OpenExchanges({ settings, known, redis: context.redis, signal });
      for (const passphrase of [null, ''])
        await assert.rejects(tryKey(exchanges, 'KUCOIN', { ...key, passphrase }, signal), {
          code: 'invalid_input',
          message: '"passphrase" is required with "KUCOIN"',
          details: { field: 'passphrase' },
        });
      for (const [name, field] of [
        ['apiKey', 'apiKey'],
        ['secret', 'apiSecret'],
        ['passphrase', 'passphrase'],
      ] as const)
        await assert.rejects(tryKey(exchanges, 'KUCOIN', { ...key, [name]: 'a\nb' }, signal), {
          code: 'invalid_input',
          details: { field },
        });
      assert.deepEqual(exchange.asked, []);
      assert.deepEqual(await tryKey(exchanges, 'KUCOIN', key, signal), {
        mayTrade: true,
        mayWithdraw: false,
        accounts: ['SPOT'],
        accountId: '165111215',
      });
      // What kind of account it is decides whether signals can be executed on it.
      for (const [kind, objection] of [
        [{ isUnified: true }, /not executed on unified accounts of kucoin; use a classic account/],
        [
          { isUnified: false, isHighFrequency: false },
          /executed on high-frequency accounts of kucoin; move the assets/,
        ],
      ] as const) {
        Object.assign(setup, kind);
        const permissions = await tryKey(exchanges, 'KUCOIN', key, signal);
        assert.match(permissions.objection!, objection);
      }
    } finally {
      await exchange.close();
    }
  });
});
