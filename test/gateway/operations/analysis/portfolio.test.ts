import assert from 'node:assert/strict';
import type { Candles } from '../../../../compute/model/candles.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { FakeExchange } from '../../../support/fake-exchange/fake-exchange.js';
import { roundFigure } from '../../../../compute/model/round-figures.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';
import { openKeyTrials, type KeyTrials } from '../../../support/jobs/key-trials.js';
import { logLines } from '../../../support/process/log-lines.js';
import { openTestMarket } from '../../../support/candles/market.js';

const apiKey = 'K'.repeat(64);
const secret = 'S'.repeat(64);
const paths = {
  exchanges: '/backend/exchanges',
  portfolio: '/backend/core-line/portfolio',
  positions: '/backend/activepositions',
};

describe('what a user holds', () => {
  const { log, lines } = logLines();
  let service: TestService;
  let btc: Candles;
  let exchange: FakeExchange;
  let trials: KeyTrials;
  let token: string;

  before(async () => {
    exchange = await FakeExchange.open([]);
    exchange.account({ apiKey, secret }, { USDT: { free: '5' } });
    ({ service, btc } = await openTestMarket({
      log,
      env: { EXCHANGES: `BINANCE=binance@${exchange.url},KRAKEN=kraken`, SECRETS_KEY: 'ab'.repeat(32) },
    }));
  });
  before(async () => {
    trials = await openKeyTrials({ settings: service.settings, redisUrl: service.redisUrl, log });
  });
  beforeEach(async () => (token = await service.signIn()));
  after(async () => {
    await trials.close();
    await service.close();
    await exchange.close();
  });

  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    as = token,
    more: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> => {
    const json: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await fetch(service.url + path, {
      method,
      headers: { 'session-token': as, ...json, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  const give = (...holdings: [asset: string, quantity: string][]) =>
    ask('POST', paths.exchanges, {
      exchange: 'PAPER',
      holdings: holdings.map(([asset, quantity]) => ({ asset, quantity })),
    });
  const lastClose = () => btc.close[btc.close.length - 1];

  it('is nothing to begin with', async () => {
    const [positions, portfolio, exchanges] = await Promise.all([
      ask('GET', paths.positions),
      ask('POST', paths.portfolio, {}),
      ask('GET', paths.exchanges),
    ]);
    assert.deepEqual(positions.payload, { positions: [], asOf: null, accounts: [] });
    assert.deepEqual(portfolio.payload, { states: [], unknown: [], interval: '1d', source: 'csv' });
    assert.deepEqual(exchanges.payload, {
      exchanges: [
        {
          exchange: 'PAPER',
          kind: 'paper',
          mayTrade: true,
          objection: null,
          permissions: { read: true, trade: true, withdraw: false },
          failures: 0,
          clockLagMs: null,
          pausedSubscriptions: 0,
          connectedAt: null,
          syncedAt: null,
          fault: null,
          cash: [{ asset: 'USDT', quantity: '10000' }],
        },
      ],
      available: ['PAPER', 'BINANCE', 'KRAKEN'],
    });
  });

  it('shows positions with the fields of the interface, at the last close where no tick is known', async () => {
    assert.equal((await give(['BTC', '0.5'], ['USDT', '10'])).status, 200);
    const { payload, result, headers } = await ask('GET', paths.positions);
    const asOf = new Date(btc.time[btc.time.length - 1] + 3_600_000).toISOString();
    const day = btc.close[btc.close.length - 25];
    assert.deepEqual(payload, {
      positions: [
        {
          coin: 'BTC',
          exchange: 'PAPER',
          quantity: 0.5,
          currentPrice: lastClose(),
          change24h: roundFigure((lastClose() / day - 1) * 100),
          pnl: 0,
          costBasis: 'since_connection',
          priceTime: asOf,
        },
      ],
      asOf,
      accounts: [{ exchange: 'PAPER', fault: null, syncedAt: null }],
    });
    assert.deepEqual(result, { type: 'OPERATION_PERFORMED' });
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  it('has the state of each asset once, as the chart has it, and names what has none', async () => {
    // Five candles of NEW are too few for a state.
    await give(['ETH', '1'], ['BTC', '2'], ['NEW', '3']);
    const { payload, status } = await ask('POST', paths.portfolio, { interval: '1h' });
    assert.equal(status, 200);
    const chart = await service.post('/backend/core-line/chart', { asset: 'BTC', interval: '1h' });
    assert.deepEqual(payload.states[0], {
      asset: 'BTC',
      state: chart.payload.state,
      price: chart.payload.price,
    });
    assert.deepEqual(
      payload.states.map(({ asset }: { asset: string }) => asset),
      ['BTC', 'ETH'],
    );
    assert.deepEqual(payload.unknown, ['NEW']);
    const daily = await ask('POST', paths.portfolio, {});
    assert.equal(daily.payload.interval, '1d');
    const own = await ask('POST', paths.portfolio, { exchange: 'PAPER' });
    assert.deepEqual(own.payload, daily.payload);
    const other = await ask('POST', paths.portfolio, { exchange: 'BINANCE' });
    assert.deepEqual([other.payload.states, other.payload.unknown], [[], []]);
  });

  it('is of one user alone', async () => {
    await give(['BTC', '1']);
    const eve = await service.signIn();
    assert.deepEqual((await ask('GET', paths.positions, undefined, eve)).payload.positions, []);
    assert.deepEqual((await ask('POST', paths.portfolio, {}, eve)).payload.states, []);
    await ask('POST', paths.exchanges, { exchange: 'BINANCE', apiKey, apiSecret: secret });
    assert.equal((await ask('GET', paths.exchanges, undefined, eve)).payload.exchanges.length, 1);
    assertRefused(await ask('DELETE', `${paths.exchanges}/BINANCE`, undefined, eve), {
      status: 400,
      type: 'INVALID_INPUT_EXCHANGE',
      field: 'exchange',
    });
  });

  it('takes a key that proves good, never shows it, and forgets it when told to', async () => {
    const added = await ask('POST', paths.exchanges, { exchange: 'BINANCE', apiKey, apiSecret: secret });
    assert.equal(added.status, 200);
    assert.deepEqual(
      added.payload.exchanges.map((each: { exchange: string; kind: string }) => [each.exchange, each.kind]),
      [
        ['PAPER', 'paper'],
        ['BINANCE', 'key'],
      ],
    );
    const again = await ask('POST', paths.exchanges, { exchange: 'BINANCE', apiKey, apiSecret: secret });
    assert.equal(again.status, 409);
    const ambiguous = await ask('DELETE', `${paths.exchanges}/BINANCE?exchange=KUCOIN`);
    assertRefused(ambiguous, { status: 400, type: 'INVALID_INPUT_CONTENT', field: 'exchange' });
    const removed = await ask('DELETE', `${paths.exchanges}/BINANCE`);
    assert.equal(removed.payload.exchanges.length, 1);
    for (const { payload } of [added, again, removed]) {
      const text = JSON.stringify(payload);
      assert.ok(!text.includes(secret) && !text.includes(apiKey));
    }
  });

  it('adds holdings once that are sent again with their idempotency-key, as after an answer that was lost', async () => {
    const add = (quantity: string, key: string) =>
      ask('POST', paths.exchanges, { exchange: 'PAPER', holdings: [{ asset: 'BTC', quantity }] }, token, {
        'idempotency-key': key,
      });
    for (const [quantity, key] of [
      ['0.5', 'one'],
      ['0.5', 'one'],
      ['0.25', 'one'],
      ['0.5', 'two'],
    ])
      assert.equal((await add(quantity, key)).status, 200);
    assert.equal((await ask('GET', paths.positions)).payload.positions[0].quantity, 1.25);
    assert.equal((await add('0.5', 'with a blank')).result.type, 'INVALID_INPUT_CONTENT');
  });

  const refusals: [what: string, body: Record<string, unknown>, type: string][] = [
    ['no exchange', {}, 'EXCHANGE'],
    ['an unknown exchange', { exchange: 'binance', apiKey, apiSecret: secret }, 'EXCHANGE'],
    ['an exchange that does not tell', { exchange: 'KRAKEN', apiKey, apiSecret: secret }, 'EXCHANGE'],
    ['no key', { exchange: 'BINANCE', apiSecret: secret }, 'API_KEY'],
    ['no secret', { exchange: 'BINANCE', apiKey }, 'API_SECRET'],
    ['a secret that is none', { exchange: 'BINANCE', apiKey, apiSecret: { $ne: secret } }, 'API_SECRET'],
    ['a secret with a NUL', { exchange: 'BINANCE', apiKey, apiSecret: `${secret}\0` }, 'API_SECRET'],
    ['a wrong secret', { exchange: 'BINANCE', apiKey, apiSecret: `${secret}x` }, 'API_KEY'],
    [
      'holdings of a live exchange',
      { exchange: 'BINANCE', holdings: [{ asset: 'BTC', quantity: '1' }] },
      'HOLDINGS',
    ],
    ['a key for paper', { exchange: 'PAPER', apiKey }, 'API_KEY'],
    ['paper without holdings', { exchange: 'PAPER' }, 'HOLDINGS'],
    ['holdings as numbers', { exchange: 'PAPER', holdings: [{ asset: 'BTC', quantity: 1 }] }, 'HOLDINGS'],
    ['holdings below 0', { exchange: 'PAPER', holdings: [{ asset: 'BTC', quantity: '-1' }] }, 'HOLDINGS'],
    [
      'an asset without a price',
      { exchange: 'PAPER', holdings: [{ asset: 'MOON', quantity: '1' }] },
      'HOLDINGS',
    ],
    ['an unknown field', { exchange: 'PAPER', apisecret: secret }, 'CONTENT'],
  ];
  for (const [what, body, type] of refusals)
    it(`refuses ${what}, and does not repeat a secret`, async () => {
      const answer = await ask('POST', paths.exchanges, body);
      assert.deepEqual([answer.status, answer.result.type], [400, `INVALID_INPUT_${type}`]);
      assert.ok(!JSON.stringify(answer.payload).includes(secret));
      assert.equal((await ask('GET', paths.exchanges)).payload.exchanges.length, 1);
    });

  for (const name of ['<X>', 'MOON', '', ['BINANCE'], 5, null, { $ne: 'x' }, 'x'.repeat(300)])
    it(`refuses ${JSON.stringify(name).slice(0, 30)} as the exchange of a portfolio`, async () => {
      assertRefused(await ask('POST', paths.portfolio, { exchange: name }), {
        status: 400,
        type: 'INVALID_INPUT_EXCHANGE',
        field: 'exchange',
      });
    });

  for (const interval of ['2h', '', null, 1, ['1h'], { $ne: null }])
    it(`refuses ${JSON.stringify(interval)} as the interval of a portfolio`, async () => {
      assertRefused(await ask('POST', paths.portfolio, { interval }), {
        status: 400,
        type: 'INVALID_INPUT_INTERVAL',
        field: 'interval',
      });
    });

  it('needs no body for a portfolio, and takes no field it does not know', async () => {
    const answer = await ask('POST', paths.portfolio);
    assert.deepEqual([answer.status, answer.payload.interval], [200, '1d']);
    for (const field of ['Exchange', 'userId', '$where'])
      assertRefused(await ask('POST', paths.portfolio, { [field]: 'PAPER' }), {
        ...{ status: 400, type: 'INVALID_INPUT_CONTENT', field },
      });
  });

  it('is asked for with GET without any parameter', async () => {
    for (const path of [paths.positions, paths.exchanges]) {
      for (const [query, field] of [
        ['exchange=PAPER', 'exchange'],
        ['a=1&a=1', 'a'],
        ['a[$ne]=x', 'a[$ne]'],
        ['__proto__[x]=1', '__proto__[x]'],
        ['__proto__=1', '__proto__'],
        ['%zz', undefined],
        ['a=%ff', undefined],
      ])
        assertRefused(
          await ask('GET', `${path}?${query}`),
          { status: 400, type: 'INVALID_INPUT_CONTENT', ...(field === undefined ? {} : { field }) },
          query,
        );
    }
  });

  it('is told to nobody who is not signed in', async () => {
    for (const [method, path, body] of [
      ['GET', paths.positions, undefined],
      ['POST', paths.portfolio, {}],
      ['GET', paths.exchanges, undefined],
      ['POST', paths.exchanges, {}],
      ['DELETE', `${paths.exchanges}/BINANCE`, undefined],
    ] as const)
      assertRefused(await ask(method, path, body, 'x'.repeat(43)), { status: 401, type: 'UNAUTHORIZED' });
  });

  it('has the price of a tick that is newer than the candles, and is as old as the oldest price', async () => {
    await give(['BTC', '1'], ['ETH', '1']);
    const tick = { base: 'BTC', quote: 'USDT', price: 7, change24hPercent: null, time: Date.now() };
    await new Prices(service.deps.redis).put('csv', [tick]);
    await service.deps.exchanges.updater.refresh([(await userOf(service, token))!]);
    const { positions, asOf } = (await ask('GET', paths.positions)).payload;
    const [position, other] = positions;
    assert.deepEqual([position.coin, other.coin, asOf], ['BTC', 'ETH', other.priceTime]);
    assert.ok(asOf < position.priceTime);
    assert.deepEqual([position.currentPrice, position.change24h], [7, null]);
    assert.ok(Math.abs(position.pnl - (7 - lastClose())) < 1e-9);
    const { states } = (await ask('POST', paths.portfolio, { interval: '1h' })).payload;
    assert.equal(states[0].price, 7);
  });

  it('leaves no secret in the log', () => {
    const text = JSON.stringify(lines);
    assert.ok(lines.length > 50);
    assert.ok(!text.includes(secret) && !text.includes(apiKey));
  });
});

describe('the exchanges of a portfolio', () => {
  it('are BINANCE, KUCOIN, BYBIT and the paper exchange unless told otherwise', async () => {
    const service = await openTestService({ computeNodes: 0 });
    try {
      const headers = { 'session-token': await service.signIn() };
      for (const exchange of ['BINANCE', 'KUCOIN', 'BYBIT', 'PAPER']) {
        const { status, payload } = await service.post(paths.portfolio, { exchange }, headers);
        assert.deepEqual([status, payload.states], [200, []], exchange);
      }
    } finally {
      await service.close();
    }
  });
});

const userOf = async (service: TestService, token: string) =>
  (await service.deps.signedIn.find(token))?.userId;
