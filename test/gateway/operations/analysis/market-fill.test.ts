import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { sendSigned, testSecret } from '../../../support/gateway/signed.js';
import { until } from '../../../support/process/until.js';
import { randomCandles } from '../../../support/candles/random-candles.js';

const pairOf = (base: string, quote = 'USDT') => ({ market: 'demo', base, quote });

describe('a market that is being filled', () => {
  let service: TestService;
  let token: string;

  before(async () => {
    service = await openTestService({ env: { MARKET: 'demo', AI_API_SECRETS: testSecret } });
    token = await service.signIn();
  });
  after(() => service.close());

  const ask = (path: string, body: object) => service.post(path, body, { 'session-token': token });
  const told = async (path: string, body: object): Promise<unknown[]> => {
    const { status, headers, result, payload } = await ask(path, body);
    return [status, headers.get('retry-after'), result.type, payload.message as string];
  };
  /** Waits until /readyz is 200 and says so: a check serves all requests of half a second. */
  const isReady = (market: string) =>
    until(`${market} at /readyz`, async () => {
      const answer = await fetch(`${service.url}/readyz`);
      return answer.status === 200 && ((await answer.json()) as { market: string }).market === market;
    });
  const requests = (asset: string): [path: string, body: object][] => [
    ['/backend/core-line/chart', { asset }],
    ['/backend/core-line/flip-intelligence', { asset }],
    ['/backend/core-line/backtest', { asset }],
    ['/backend/analysis/sweep', { asset, strategy: 'ema_cross', grid: {} }],
    ['/backend/analysis/trend', { asset }],
    ['/backend/analysis/trend-state', { asset }],
    ['/backend/analysis/performance', { assets: ['BTC', asset] }],
  ];

  it('asks for patience before a market worker has chosen its pairs', async () => {
    const expected = [503, '5', 'CRITICAL', 'there are no candles yet: market: waiting for a market worker'];
    for (const [path, body] of requests('ETH')) assert.deepEqual(await told(path, body), expected, path);
    assert.deepEqual(await told('/backend/analysis/movers', {}), expected);
    await isReady('waiting for a market worker');
  });

  describe('of which one pair of three is there', () => {
    before(async () => {
      const { candles, feeds } = service.storage;
      const pairs = ['BTC', 'ETH', 'SOL'].map((base) => pairOf(base));
      await feeds.follow('demo', pairs);
      assert.deepEqual(await told('/backend/analysis/movers', {}), [
        ...[503, '5', 'CRITICAL'],
        'the candles of "BTC/USDT" are on their way: market: filling 0/3',
      ]);
      await candles.add(pairOf('BTC'), randomCandles(24 * 400));
      await feeds.complete(pairOf('BTC'), 0);
    });

    it('says how far it is for an asset that is on its way', async () => {
      const message = 'the candles of "ETH/USDT" are on their way: market: filling 1/3';
      for (const [path, body] of requests('ETH'))
        assert.deepEqual(await told(path, body), [503, '5', 'CRITICAL', message], path);
      for (const target of ['/v3/ai/assess_risk?coin=ETH', '/v3/ai/get_price?base_asset=ETH']) {
        const { status, headers, json } = await sendSigned(service, target);
        const { code, message: said } = (json as { error: { code: string; message: string } }).error;
        assert.deepEqual(
          [status, headers.get('retry-after'), code, said],
          [503, '5', 'market_filling', message],
        );
      }
    });

    it('is ready, and says how far it is', async () => {
      await isReady('filling 1/3');
    });

    it('serves what is there, and knows what will never be', async () => {
      assert.equal((await ask('/backend/core-line/chart', { asset: 'BTC' })).status, 200);
      for (const [path, body] of requests('NOPE')) assert.equal((await ask(path, body)).status, 400, path);
      assert.deepEqual(await told('/backend/core-line/chart', { asset: 'BTC', tradeMarket: 'EUR' }), [
        ...[400, null, 'INVALID_INPUT_TRADE_MARKET'],
        '"BTC" is traded against "USDT", found "EUR"',
      ]);
    });

    it('forgets nothing when a pair is followed again, and is filled when each pair is', async () => {
      const { feeds } = service.storage;
      await feeds.follow(
        'demo',
        ['BTC', 'ETH', 'SOL'].map((base) => pairOf(base)),
      );
      await isReady('filling 1/3');
      for (const base of ['ETH', 'SOL']) await feeds.complete(pairOf(base), 0);
      await isReady('filled 3/3');
      // Its candles were never stored: that is no longer a matter of time.
      assert.equal((await ask('/backend/core-line/chart', { asset: 'ETH' })).status, 400);
    });
  });
});
