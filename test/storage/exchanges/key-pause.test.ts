import assert from 'node:assert/strict';
import { KeyPause } from '../../../storage/exchanges/key-pause.js';
import { until } from '../../support/process/until.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const key = { apiKey: 'the key', secret: 'the secret', passphrase: null };

describe('KeyPause', () => {
  const context = temporaryRedis();
  beforeEach(() => context.redis.flushdb());
  const of = (given: Partial<typeof key> = {}, exchange = 'bybit') =>
    new KeyPause(context.redis, exchange, { ...key, ...given });

  it('holds for the key in every process, and for nothing else', async () => {
    await of().start(60_000, 'too many requests');
    const other = new KeyPause(context.another(), 'bybit', key);
    await assert.rejects(
      other.check(),
      ({ details, message }: { details: { retryAfterMs: number }; message: string }) => {
        assert.ok(details.retryAfterMs > 50_000 && details.retryAfterMs <= 60_000);
        return /^requests with this key to bybit are paused for (5\d|60) s: too many requests$/.test(message);
      },
    );
    // Another user who knows the key and not its secret cannot pause it.
    for (const free of [of({ apiKey: 'another' }), of({ secret: 'a guess' }), of({}, 'kucoin')])
      await free.check();
  });

  it('ends by itself, and is not shortened by a shorter one', async () => {
    await of().start(60_000, 'first');
    await of().start(50, 'second');
    await assert.rejects(of().check(), { message: /: first$/ });
    await of({}, 'kucoin').start(200, 'short');
    await until('it ends', () =>
      of({}, 'kucoin')
        .check()
        .then(
          () => true,
          () => false,
        ),
    );
  });

  it('stores neither key nor secret', async () => {
    await of().start(60_000, 'too many requests');
    const [name, ...more] = await context.redis.keys('*');
    assert.match(name, /^tidemark:key-pause:bybit:[\w-]{43}$/);
    assert.deepEqual([more, await context.redis.get(name)], [[], 'too many requests']);
  });
});
