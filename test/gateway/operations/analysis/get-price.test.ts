import assert from 'node:assert/strict';
import { getPrice } from '../../../../gateway/operations/analysis/prices.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { OwnServer } from '../../../support/servers/own-server.js';
import { randomCandles } from '../../../support/candles/random-candles.js';
import { assertBareRefusal, sendSigned, testSecret } from '../../../support/gateway/signed.js';
import { until } from '../../../support/process/until.js';
import { within } from '../../../support/process/within.js';

const path = '/v3/ai/get_price';
const AI_API_SECRETS = testSecret;

describe('get_price', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ env: { MARKET: 'demo', AI_API_SECRETS }, computeNodes: 0 });
    for (const base of ['BTC', 'ETH', 'QUIET'])
      await service.storage.candles.add({ market: 'demo', base, quote: 'USDT' }, randomCandles(10));
  });
  after(() => service.close());

  const ask = (query: string) => sendSigned(service, query === '' ? path : `${path}?${query}`);
  const put = (price: number, time = Date.now(), base = 'BTC', quote = 'USDT') =>
    new Prices(service.deps.redis).put('demo', [{ base, quote, price, time, change24hPercent: null }]);

  it('answers a bare object with the fields and types of the interface', async () => {
    const time = Date.now() - 1_500;
    await put(61_234.5, time);
    const { status, headers, json } = await ask('base_asset=BTC');
    assert.equal(status, 200);
    assert.deepEqual(json, {
      base_asset: 'BTC',
      quote_asset: 'USDT',
      symbol: 'BTC/USDT',
      price: '61234.5',
      timestamp: new Date(time).toISOString(),
      source: 'demo',
    });
    assert.match(json.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(getPrice.output.validate(json, { convert: false }).error, undefined);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
  });

  it('takes the quote asset, and USDT without it', async () => {
    await put(0.05, Date.now(), 'ETH', 'BTC');
    await put(3_000, Date.now(), 'ETH');
    assert.equal((await ask('base_asset=ETH&quote_asset=BTC')).json.price, '0.05');
    assert.equal((await ask('base_asset=ETH')).json.price, '3000');
  });

  it('writes the price as the shortest plain decimal of its number', async () => {
    for (const [price, text] of [
      [1e-7, '0.0000001'],
      [1.234e-9, '0.000000001234'],
      [0.1 + 0.2, '0.30000000000000004'],
      [0.3, '0.3'],
      [1e21, `1${'0'.repeat(21)}`],
      [100, '100'],
      [0.00001234, '0.00001234'],
    ] as const) {
      await put(price);
      assert.equal((await ask('base_asset=BTC')).json.price, text);
    }
  });

  it('refuses a price that is no longer one, says how old it is and when to ask again', async () => {
    await put(1, Date.now() - 59_000);
    assert.equal((await ask('base_asset=BTC')).status, 200);
    await put(1, Date.now() - 61_000);
    const answer = await ask('base_asset=BTC');
    assertBareRefusal(answer, { status: 503, code: 'price_stale' });
    assert.match(
      answer.json.error.message,
      /^the last price of "BTC\/USDT" is 6[1-3] s old, and prices older than 60 s are not served$/,
    );
    assert.equal(answer.headers.get('retry-after'), '10');
    assertBareRefusal(await ask('base_asset=QUIET'), { status: 503, code: 'price_stale' });
  });

  it('takes a price to be one for three tick intervals where those are longer than a minute', async () => {
    const slow = await openTestService({
      env: { MARKET: 'demo', AI_API_SECRETS, MARKET_TICK_SECONDS: '60' },
      computeNodes: 0,
    });
    try {
      const prices = new Prices(slow.deps.redis);
      const tick = { base: 'BTC', quote: 'USDT', price: 1, change24hPercent: null };
      for (const [seconds, status] of [
        [179, 200],
        [181, 503],
      ]) {
        await prices.put('demo', [{ ...tick, time: Date.now() - seconds * 1_000 }]);
        assert.equal((await sendSigned(slow, `${path}?base_asset=BTC`)).status, status);
      }
    } finally {
      await slow.close();
    }
  });

  it('names the field of what is not known, with a word on what is', async () => {
    const unknown = await ask('base_asset=NOPE');
    assertBareRefusal(unknown, { status: 400, code: 'invalid_input', field: 'base_asset' });
    const small = await ask('base_asset=bct');
    assertBareRefusal(small, { status: 400, code: 'invalid_input', field: 'base_asset' });
    assert.equal(small.json.error.message, 'base_asset "BCT" is not known here; did you mean "BTC"?');
    const quote = await ask('base_asset=BTC&quote_asset=EUR');
    assertBareRefusal(quote, { status: 400, code: 'invalid_input', field: 'quote_asset' });
    assert.equal(quote.json.error.message, '"BTC" is traded against "USDT", found "EUR"');
  });

  it('refuses bad parameters, naming the field', async () => {
    for (const [query, field] of [
      ['', 'base_asset'],
      ['base_asset=', 'base_asset'],
      ['base_asset', 'base_asset'],
      ['base_asset=BTC&base_asset=BTC', 'base_asset'],
      ['base_asset=BTC&quote_asset=', 'quote_asset'],
      [`base_asset=${'A'.repeat(21)}`, 'base_asset'],
      ['base_asset[$ne]=x', 'base_asset'],
      ['base_asset=BTC&base_asset[$ne]=x', 'base_asset[$ne]'],
      ['base_asset=BTC&__proto__[x]=1', '__proto__[x]'],
      ['base_asset=BTC&__proto__=1', '__proto__'],
      ['base_asset=BTC&coin=BTC', 'coin'],
      ['base_asset=BTC&base_asset%00=1', 'base_asset\0'],
      ['base_asset=BTC%00', 'base_asset'],
      ['base_asset=BTC/USDT&quote_asset=BTC', 'base_asset'],
      ['base_asset=%F0%9F%92%B0', 'base_asset'],
    ])
      assertBareRefusal(await ask(query), { status: 400, code: 'invalid_input', field }, query);
    assertBareRefusal(await ask('base_asset=%zz'), { status: 400, code: 'invalid_input' });
  });
});

describe('get_price of an imported market', () => {
  it('is the last close, with the time of it', async () => {
    const { service, btc } = await openTestMarket({ env: { AI_API_SECRETS }, computeNodes: 0 });
    try {
      const { status, json } = await sendSigned(service, `${path}?base_asset=BTC`);
      assert.equal(status, 200);
      assert.equal(Number(json.price), btc.close.at(-1));
      assert.equal(json.timestamp, new Date(btc.time.at(-1)! + 3_600_000).toISOString());
      assert.equal(json.source, 'csv');
      const unknown = await sendSigned(service, `${path}?base_asset=NOPE`);
      assertBareRefusal(unknown, { status: 400, code: 'invalid_input', field: 'base_asset' });
    } finally {
      await service.close();
    }
  });
});

describe('get_price without Redis', () => {
  it('answers 503 soon, naming it, and by itself again when it is back', async () => {
    const redis = await OwnServer.open('redis');
    const service = await openTestService({
      env: { MARKET: 'demo', AI_API_SECRETS },
      computeNodes: 0,
      redisUrl: redis.url,
    });
    const ask = () => sendSigned(service, `${path}?base_asset=BTC`);
    const assertAway = async () => {
      for (let n = 0; n < 3; n++) {
        const answer = await within('the answer', ask());
        assertBareRefusal(answer, { status: 503, code: 'redis_unavailable' });
        assert.equal(answer.json.error.part, 'redis');
        assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      }
    };
    try {
      redis.freeze();
      await assertAway();
      redis.thaw();
      await redis.kill();
      await assertAway();
      await redis.start();
      const tick = { base: 'BTC', quote: 'USDT', price: 1, change24hPercent: null, time: Date.now() };
      await until('a price', () =>
        new Prices(service.deps.redis).put('demo', [tick]).then(
          () => true,
          () => false,
        ),
      );
      assert.equal((await ask()).status, 200);
    } finally {
      await service.close();
      await redis.close();
    }
  });
});
