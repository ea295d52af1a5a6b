import assert from 'node:assert/strict';
import { sliceCandles } from '../../../../compute/model/candles.js';
import { assessTrade as assess } from '../../../../compute/risk/assess-risk.js';
import { assessRisk } from '../../../../gateway/operations/analysis/assess-risk.js';
import { assertRounded } from '../../../support/numbers/assert-rounded.js';
import { demoCandles } from '../../../support/candles/demo-candles.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { randomCandles } from '../../../support/candles/random-candles.js';
import { readDemoRisk } from '../../../support/candles/risk-points.js';
import { assertBareRefusal, sendSigned, testSecret } from '../../../support/gateway/signed.js';

const path = '/v3/ai/assess_risk';
const env = { AI_API_SECRETS: testSecret };

describe('assess_risk', () => {
  let service: TestService;
  const btc = randomCandles(900, { seed: 1, price: 40_000 });
  const eth = randomCandles(900, { seed: 2 });

  before(async () => {
    service = await openTestService({ env });
    const add = (base: string, quote: string, candles: typeof btc) =>
      service.storage.candles.add({ market: 'csv', base, quote }, candles);
    await add('BTC', 'USDT', btc);
    await add('ETH', 'USDT', eth);
    await add('ETH', 'BTC', randomCandles(900, { seed: 3 }));
    await add('EDGE', 'USDT', sliceCandles(eth, 650, 900));
    await add('NEW', 'USDT', sliceCandles(eth, 651, 900));
  });
  after(() => service.close());

  const ask = (query: string, headers: Record<string, string> = {}) =>
    sendSigned(service, query === '' ? path : `${path}?${query}`, { headers });

  it('is the same in the envelope for anybody, where errors name the fields of that surface', async () => {
    const post = (body: object) => service.post('/backend/analysis/assess-risk', body);
    for (const [query, body] of [
      ['coin=ETH', { asset: 'ETH' }],
      ['coin=BTC&trade_side=short', { asset: 'BTC', side: 'short' }],
      ['coin=ETH&trade_market=BTC', { asset: 'ETH', tradeMarket: 'BTC' }],
    ] as const)
      assert.deepEqual((await post(body)).payload, (await ask(query)).json);
    for (const [body, type] of [
      [{ asset: 'NEW' }, 'INVALID_INPUT_ASSET'],
      [{ asset: 'NOPE' }, 'INVALID_INPUT_ASSET'],
      [{ asset: 'ETH', tradeMarket: 'EUR' }, 'INVALID_INPUT_TRADE_MARKET'],
      [{ asset: 'ETH', side: 'up' }, 'INVALID_INPUT_SIDE'],
      [{ coin: 'ETH' }, 'INVALID_INPUT_ASSET'],
      [{ asset: 'ETH', trade_side: 'long' }, 'INVALID_INPUT_CONTENT'],
    ] as const) {
      const { status, result } = await post(body);
      assert.deepEqual([status, result.type], [400, type], JSON.stringify(body));
    }
  });

  it('answers a bare object with every field of the interface, in its type', async () => {
    for (const query of ['coin=ETH', 'coin=BTC&trade_side=short', 'coin=ETH&trade_market=BTC']) {
      const { status, json, headers } = await ask(query);
      assert.equal(status, 200);
      assert.equal(assessRisk.output.validate(json, { convert: false }).error, undefined);
      assert.equal('result' in json || 'payload' in json, false);
      for (const [block, fields] of Object.entries({
        adx: {
          value: 'number',
          pdi: 'number',
          mdi: 'number',
          strength: 'number',
          trendStrength: 'string',
          trendDirection: 'string',
        },
        psar: { value: 'string', psarValue: 'string' },
        marketTrend: { value: 'string' },
        rsiCross: { value: 'string', labels: 'object', results: 'object' },
        macdCross: { value: 'string', labels: 'object', results: 'object' },
        emaCross: { value: 'string', labels: 'object', results: 'object' },
        volume: { value: 'string', currentVolume: 'number', previousVolume: 'number' },
        volumeAverage: {
          label: 'string',
          value: 'string',
          currentVolume: 'number',
          averageVolume: 'number',
          medianVolume: 'number',
          maxVolume: 'number',
          relativeVolume: 'string',
        },
        volumeSpread: {
          momentum: 'string',
          spreadValue: 'string',
          volumeValue: 'string',
          currentVolume: 'number',
        },
        candlestick: { value: 'string', pattern: 'string', sentiment: 'string' },
      }))
        assert.deepEqual(
          Object.fromEntries(Object.entries(json[block]).map(([name, value]) => [name, typeof value])),
          fields,
          block,
        );
      assert.deepEqual(Object.keys(json.btc.psar), ['value', 'psarValue']);
      for (const psar of [json.psar, json.btc.psar]) assert.match(psar.psarValue, /^\d+(\.\d+)?$/);
      for (const [cross, results] of Object.entries({
        rsiCross: ['rsi', 'rsiMovingAvg'],
        macdCross: ['MACD', 'histogram', 'signalValue'],
        emaCross: ['emaFast', 'emaSlow'],
      })) {
        assert.deepEqual(Object.keys(json[cross].labels), ['trend', 'signal', 'momentum']);
        assert.deepEqual(Object.keys(json[cross].results), results);
        for (const value of Object.values(json[cross].results)) assert.equal(typeof value, 'number');
      }
      assert.match(json.volume.value, /^([+-]\d+\.\d\d|0\.00)%$/);
      const sum = (json.reasons as { points: number }[]).reduce((total, { points }) => total + points, 0);
      assert.equal(json.score, sum);
      assert.equal(json.riskProfile, sum <= 4 ? 'low' : sum <= 8 ? 'moderate' : 'tooRisky');
      assert.equal(json.asOf, new Date(eth.time[899] + 3_600_000).toISOString());
      assert.equal(headers.get('cache-control'), 'private, max-age=3600');
    }
  });

  it('is what was computed, for the side and pair that were asked for', async () => {
    const expected = (side: 'long' | 'short', candles = eth, isLeading = false) =>
      JSON.parse(JSON.stringify(assess({ candles, leading: btc, isLeading, side }))) as unknown;
    for (const [query, wanted] of [
      ['coin=ETH', expected('long')],
      ['coin=ETH&trade_side=long&trade_market=USDT', expected('long')],
      ['coin=ETH&trade_side=short', expected('short')],
      ['coin=BTC', expected('long', btc, true)],
      ['coin=EDGE', expected('long', sliceCandles(eth, 650, 900))],
    ] as const) {
      const { source, asOf, ...found } = (await ask(query)).json;
      assert.deepEqual(found, wanted, query);
      assert.deepEqual([source, asOf], ['csv', new Date(eth.time[899] + 3_600_000).toISOString()]);
    }
  });

  it('refuses a pair with fewer than 250 closed candles', async () => {
    const answer = await ask('coin=NEW');
    assertBareRefusal(answer, { status: 400, code: 'not_enough_history', field: 'coin' });
    assert.equal(
      answer.json.error.message,
      'a risk assessment needs 250 closed 1h candles of "NEW/USDT", found 249',
    );
  });

  it('answers 304 to whoever has the answer, and tells two answers apart', async () => {
    const { headers } = await ask('coin=ETH');
    const etag = headers.get('etag')!;
    assert.match(etag, /^W\/"\d+-[0-9a-f]{16}-[0-9a-f]{16}-long"$/);
    // Without a word on caches, fetch asks not to be answered from one.
    const known = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    const again = await ask('coin=ETH', known);
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await ask('coin=ETH', { ...known, 'If-None-Match': '"other"' })).status, 200);
    const short = await ask('coin=ETH&trade_side=short', known);
    assert.equal(short.status, 200);
    assert.notEqual(short.headers.get('etag'), etag);
    const post = await sendSigned(service, `${path}?coin=ETH`, {
      method: 'POST',
      headers: known,
    });
    assert.equal(post.status, 200);
  });

  it('refuses bad parameters, naming the field', async () => {
    for (const [query, field] of [
      ['', 'coin'],
      ['coin=', 'coin'],
      ['coin=NOPE', 'coin'],
      ['coin=ethh', 'coin'],
      ['coin=ETH&coin=ETH', 'coin'],
      ['coin[]=ETH', 'coin'],
      ['coin=ETH&trade_side=both', 'trade_side'],
      ['coin=ETH&trade_side=', 'trade_side'],
      ['coin=ETH&trade_side=long&trade_side=long', 'trade_side'],
      ['coin=ETH&trade_market=EUR', 'trade_market'],
      ['coin=ETH&interval=1d', 'interval'],
      ['coin=ETH&coin[$ne]=x', 'coin[$ne]'],
      ['coin=ETH&__proto__=x', '__proto__'],
    ])
      assertBareRefusal(await ask(query), { status: 400, code: 'invalid_input', field }, query);
    const { json } = await ask('coin=ethh');
    assert.equal(json.error.message, 'coin "ETHH" is not known here; did you mean "ETH"?');
  });

  it('names the leading pair where that has too few candles', async () => {
    const alone = await openTestService({ env });
    try {
      await alone.storage.candles.add({ market: 'csv', base: 'ETH', quote: 'USDT' }, eth);
      const answer = await sendSigned(alone, `${path}?coin=ETH`);
      assertBareRefusal(answer, { status: 400, code: 'not_enough_history' });
      assert.match(answer.json.error.message, /of the leading pair "BTC\/USDT", found 0$/);
    } finally {
      await alone.close();
    }
  });

  it('computes a burst of equal questions once', async () => {
    const burst = await openTestService({ env, measured: true });
    try {
      for (const [base, candles] of Object.entries({ BTC: btc, ETH: eth }))
        await burst.storage.candles.add({ market: 'csv', base, quote: 'USDT' }, candles);
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => sendSigned(burst, `${path}?coin=ETH`)),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      const metrics = await burst.metrics.nodes[0].registry.metrics();
      assert.match(metrics, /tidemark_job_run_seconds_count{job="assess-risk",outcome="computed"} 1\n/);
    } finally {
      await burst.close();
    }
  });
});

describe('assess_risk over HTTP', function () {
  this.timeout(60_000);

  it('equals an independent implementation in every field, as it is answered', async () => {
    const points = readDemoRisk().filter(({ pair, candles }) => pair !== 'BTC_USDT' && candles < 2_000);
    assert.ok(points.length >= 10);
    const service = await openTestService({ env });
    try {
      const { candles: repository } = service.storage;
      const leading = demoCandles('BTC_USDT', '1h');
      await repository.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, leading);
      for (const [n, { pair, candles: count, side, expected }] of points.entries()) {
        // An asset of its own for each point, which ends there.
        const candles = sliceCandles(demoCandles(pair, '1h'), 0, count);
        await repository.add({ market: 'csv', base: `A${n}`, quote: 'USDT' }, candles);
        const { status, json } = await sendSigned(service, `${path}?coin=A${n}&trade_side=${side}`);
        assert.equal(status, 200, JSON.stringify(json));
        const { source, asOf, ...found } = json;
        assert.deepEqual(
          [source, asOf],
          ['csv', new Date(candles.time[count - 1] + 3_600_000).toISOString()],
        );
        assertRounded(found, expected, candles.close[count - 1], `${pair} ${count} ${side}`);
      }
    } finally {
      await service.close();
    }
  });
});
