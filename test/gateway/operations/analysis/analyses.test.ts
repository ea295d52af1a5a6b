import assert from 'node:assert/strict';
import { allAnalyses } from '../../../../compute/analyses.js';
import { readSeasonality } from '../../../../compute/market/seasonality.js';
import { indicators } from '../../../../compute/indicators/index.js';
import { strategyNames } from '../../../../compute/strategies/index.js';
import { candleFields } from '../../../../gateway/operations/analysis/analysis-operation.js';
import type { Candles } from '../../../../compute/model/candles.js';
import { roundFigures } from '../../../../compute/model/round-figures.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { sampleParams } from '../../../support/jobs/sample-params.js';

const path = (name: string) => `/backend/analysis/${name}`;

describe('POST /backend/analysis/<name>', () => {
  let service: TestService;
  let btc: Candles;
  let token: string;
  const ask = (name: string, body: object, headers: Record<string, string> = { 'session-token': token }) =>
    service.post(path(name), body, headers);
  const refusal = async (name: string, body: object) => {
    const { status, result, payload } = await ask(name, body);
    return { status, type: result.type, message: (payload as { message: string }).message };
  };

  before(async () => ({ service, btc, token } = await openTestMarket()));
  after(() => service.close());

  it('answers what compute answers, with times in ISO 8601 and the market it rests on', async () => {
    const { payload, result } = await ask('seasonality', { asset: 'BTC', by: 'weekday' });
    const { from, to, ...rest } = readSeasonality(btc, '1h', 'weekday');
    assert.deepEqual(payload, {
      ...{ asset: 'BTC', tradeMarket: 'USDT', source: 'csv' },
      asOf: new Date(btc.time.at(-1)! + 3_600_000).toISOString(),
      ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      ...roundFigures(rest),
    });
    assert.ok(result.ttl! > 0);
  });

  it('lets guests ask the public ones alone', async () => {
    for (const analysis of allAnalyses) {
      const about = 'asset' in candleFields(analysis) ? { asset: 'BTC' } : {};
      const { status } = await ask(analysis.name, { ...about, ...sampleParams(analysis) }, {});
      assert.equal(status, analysis.scope === 'public' ? 200 : 401, analysis.name);
    }
  });

  it('says of every answer on candles where they come from and when the newest closed', async () => {
    const newest = new Date(btc.time.at(-1)! + 3_600_000).toISOString();
    for (const analysis of allAnalyses.filter(({ needs }) => needs !== 'nothing')) {
      const about = 'asset' in candleFields(analysis) ? { asset: 'BTC' } : {};
      const { payload } = await ask(analysis.name, { ...about, ...sampleParams(analysis) });
      assert.equal(payload.source, 'csv', analysis.name);
      assert.ok(payload.asOf <= newest && Date.parse(payload.asOf) % 3_600_000 === 0, analysis.name);
    }
    assert.equal((await ask('movers', {})).payload.asOf, newest);
    assert.equal((await ask('trend-state', { asset: 'BTC' })).payload.asOf, newest);
  });

  it('pages through the states of a market', async () => {
    const whole = (await ask('scan-states', { interval: '1h' })).payload;
    const first = (await ask('scan-states', { interval: '1h', limit: 2 })).payload;
    const last = (await ask('scan-states', { interval: '1h', limit: 2, cursor: first.nextCursor })).payload;
    assert.deepEqual([...first.states, ...last.states], whole.states);
    assert.deepEqual([whole.total, whole.nextCursor, last.nextCursor], [3, null, null]);
    for (const cursor of ['ETH', 'zzzzzzzz.NOPE', '../..', 'k9lz.', 7])
      assert.equal((await refusal('scan-states', { cursor })).type, 'INVALID_INPUT_CURSOR');
  });

  it('refuses an asset that is not stored, in every analysis that names assets, and asks what was meant', async () => {
    assert.deepEqual(await refusal('seasonality', { asset: 'btcc' }), {
      ...{ status: 400, type: 'INVALID_INPUT_ASSET' },
      message: 'asset "BTCC" is not known here; did you mean "BTC"?',
    });
    assert.deepEqual(await refusal('performance', { assets: ['BTC', 'Ethh'] }), {
      ...{ status: 400, type: 'INVALID_INPUT_ASSETS' },
      message: 'no candles of "ETHH/USDT" are stored; did you mean "ETH"?',
    });
    assert.equal((await refusal('movers', { tradeMarket: 'EUR' })).type, 'INVALID_INPUT_TRADE_MARKET');
  });

  it('answers an unknown parameter of a strategy with those it has and their ranges', async () => {
    const body = { asset: 'BTC', strategy: 'ema_cross', params: { quick: 3 } };
    assert.deepEqual(await refusal('monte-carlo', body), {
      ...{ status: 400, type: 'INVALID_INPUT_PARAMS' },
      message:
        '"quick" is not a parameter of ema_cross, which takes fast (2 to 200, default 20), slow (3 to 500, default 50)',
    });
    const outside = await refusal('monte-carlo', { ...body, params: { fast: 1 } });
    assert.deepEqual(outside, {
      ...{ status: 400, type: 'INVALID_INPUT_PARAMS' },
      message: '"params.fast" must be a whole number from 2 to 200, found 1',
    });
  });

  it('refuses parameters that do not go together, also with the default of one of them', async () => {
    const body = { asset: 'BTC', strategy: 'ema_cross' };
    for (const params of [{ fast: 50, slow: 20 }, { fast: 30, slow: 30 }, { fast: 50 }])
      assert.deepEqual(await refusal('monte-carlo', { ...body, params }), {
        ...{ status: 400, type: 'INVALID_INPUT_PARAMS' },
        message: `"params" of ema_cross: fast must be below slow, found fast ${params.fast}, slow ${params.slow ?? 50}`,
      });
    const strategies = [
      { name: 'trend_state', params: {} },
      { name: 'macd_cross', params: { fast: 26, slow: 12 } },
    ];
    const { status, message } = await refusal('compare', { assets: ['BTC'], strategies });
    assert.equal(status, 400);
    assert.match(message, /of macd_cross: fast must be below slow/);
  });

  it('takes decimals as text, and as numbers of up to 15 digits', async () => {
    const order = { accountSize: 1000, riskPercent: '1', entry: '100', stop: 95.5 };
    const { payload } = await ask('position-size', order);
    const asText = await ask('position-size', { ...order, accountSize: '1000', stop: '95.5' });
    assert.deepEqual(payload, asText.payload);
    for (const entry of [1e21, 0.1234567890123456, 'ten', null, [100], true])
      assert.equal((await refusal('position-size', { ...order, entry })).type, 'INVALID_INPUT_ENTRY');
  });

  it('names the field of a fault that lies inside it', async () => {
    const ladder = { firstPrice: '100', firstAmount: '50', levels: [{ buyPrice: '0', multiplier: '2' }] };
    assert.equal((await refusal('dca-ladder', ladder)).type, 'INVALID_INPUT_LEVELS');
    const conditions = [{ left: 'nothing', op: '<', right: '1' }];
    assert.equal((await refusal('screen', { conditions })).type, 'INVALID_INPUT_CONDITIONS');
  });

  it('refuses fields that an analysis does not have', async () => {
    for (const { name } of allAnalyses)
      assert.equal((await refusal(name, { asset: 'BTC', nonsense: 1 })).status, 400, name);
  });
});

describe('the lists below /backend/analysis', () => {
  let service: TestService;
  const list = async <T>(what: string, body: object = {}): Promise<T> =>
    (await service.post(path(`list-${what}`), body)).payload as T;

  before(async () => ({ service } = await openTestMarket()));
  after(() => service.close());

  it('name every analysis, strategy and indicator', async () => {
    const { analyses } = await list<{ analyses: { name: string }[] }>('analyses');
    assert.deepEqual(
      analyses.map(({ name }) => name),
      allAnalyses.map(({ name }) => name),
    );
    const { strategies } = await list<{ strategies: { name: string }[] }>('strategies');
    assert.deepEqual(
      strategies.map(({ name }) => name),
      strategyNames,
    );
    const found = await list<{ indicators: { name: string; params: object[] }[] }>('indicators');
    assert.equal(found.indicators.length, indicators.length);
    const { indicators: one } = await list<{ indicators: { name: string; params: object[] }[] }>(
      'indicators',
      {
        name: 'rsi',
      },
    );
    assert.deepEqual(
      one.map(({ params }) => params),
      [[{ name: 'period', title: 'Smoothing period in candles', min: 2, max: 500, default: 14, step: 1 }]],
    );
  });

  it('name the stored assets, page by page', async () => {
    type Page = { total: number; assets: { asset: string; candles: number }[]; nextCursor: string | null };
    const first = await list<Page>('assets', { limit: 2 });
    assert.deepEqual(
      [first.total, first.assets.map(({ asset }) => asset), first.nextCursor],
      [3, ['BTC', 'ETH'], 'ETH'],
    );
    const last = await list<Page>('assets', { limit: 2, cursor: first.nextCursor });
    assert.deepEqual([last.assets.map(({ asset }) => asset), last.nextCursor], [['NEW'], null]);
    assert.deepEqual(
      (await list<Page>('assets', { query: 'et' })).assets.map(({ asset }) => asset),
      ['ETH'],
    );
    assert.equal((await list<Page>('assets', { query: 'et', tradeMarket: 'BTC' })).total, 1);
  });

  it('find assets by name, and show their names, quote currencies and exchanges', async () => {
    type Row = { asset: string; name: string | null; tradeMarkets: string[]; exchanges: string[] };
    const { assets } = await list<{ assets: Row[] }>('assets', { query: 'Ether' });
    assert.deepEqual(
      assets.map(({ asset, name, tradeMarkets, exchanges }) => ({ asset, name, tradeMarkets, exchanges })),
      [{ asset: 'ETH', name: 'Ethereum', tradeMarkets: ['BTC', 'USDT'], exchanges: [] }],
    );
    const young = await list<{ assets: Row[] }>('assets', { query: 'new' });
    assert.deepEqual(
      young.assets.map(({ asset, name }) => [asset, name]),
      [['NEW', null]],
    );
    assert.deepEqual((await list<{ assets: Row[] }>('assets', { query: 'nothing' })).assets, []);
  });

  it('show stored leaderboards by the rank asked for', async () => {
    const row = {
      ...{ asset: 'BTC', tradeMarket: 'USDT', totalReturn: 5, maxDrawdown: -3, tradeCount: 30 },
      ...{ outOfSampleReturn: null, excessReturn: 1, significant: false },
    };
    const window = { from: '2024-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' };
    const rows = [
      { ...row, ...window, strategy: 'ema_cross', sharpe: 1 },
      { ...row, ...window, strategy: 'trend_state', sharpe: 2, totalReturn: 4 },
      { ...row, ...window, strategy: 'supertrend', sharpe: null, tradeCount: 2 },
    ];
    const board = {
      ...({ market: 'csv', interval: '1d', period: '1y', asOf: window.to, computedAt: new Date() } as const),
      ...{ costs: { feeRate: 0.001, slippageRate: 0.0005 }, rows, refused: 1, luckiestSharpe: 2 },
    };
    await service.storage.leaderboards.put(board, 1);
    type Boards = { leaderboards: { ranked: number; feePercent: number; rows: { strategy: string }[] }[] };
    const names = ({ leaderboards: [board] }: Boards) => board.rows.map(({ strategy }) => strategy);
    const bySharpe = await list<Boards>('leaderboards');
    assert.deepEqual(names(bySharpe), ['trend_state', 'ema_cross']);
    assert.deepEqual([bySharpe.leaderboards[0].ranked, bySharpe.leaderboards[0].feePercent], [2, 0.1]);
    assert.deepEqual(
      names(await list<Boards>('leaderboards', { rankBy: 'totalReturn', minTrades: 0, limit: 2 })),
      ['ema_cross', 'supertrend'],
    );
    assert.deepEqual(names(await list<Boards>('leaderboards', { strategy: 'ema_cross' })), ['ema_cross']);
    assert.deepEqual((await list<Boards>('leaderboards', { interval: '4h' })).leaderboards, []);
  });

  it('rank one stored leaderboard by any of its figures, and say where none was computed', async () => {
    const row = {
      ...{ asset: 'BTC', tradeMarket: 'USDT', totalReturn: 5, sharpe: 1, tradeCount: 30 },
      ...{ outOfSampleReturn: null, excessReturn: -5, significant: false },
    };
    const window = { from: '2024-07-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' };
    const rows = [
      { ...row, ...window, strategy: 'ema_cross', maxDrawdown: -9, outOfSampleReturn: 2, excessReturn: 1 },
      {
        ...row,
        ...window,
        strategy: 'trend_state',
        maxDrawdown: -3,
        outOfSampleReturn: null,
        excessReturn: 4,
      },
      { ...row, ...window, strategy: 'supertrend', asset: 'ETH', maxDrawdown: -5, tradeCount: 20 },
      { ...row, ...window, strategy: 'macd_cross', maxDrawdown: -1, tradeCount: 19 },
    ];
    const board = {
      ...({ market: 'csv', interval: '1h', period: '6M', asOf: window.to, computedAt: new Date() } as const),
      ...{ costs: { feeRate: 0.001, slippageRate: 0.0005 }, rows, refused: 0, luckiestSharpe: 2.5 },
    };
    await service.storage.leaderboards.put(board, 1);
    interface Shown {
      computed: boolean;
      asOf: string;
      feePercent: number | null;
      luckiestSharpe: number | null;
      ranked: number;
      rows: { strategy: string; outOfSampleReturn: number | null }[];
    }
    const ask = async (body: object): Promise<Shown> => {
      const asked = { interval: '1h', period: '6M', ...body };
      return (await service.post(path('strategy-leaderboard'), asked)).payload as Shown;
    };
    const names = async (body: object) => (await ask(body)).rows.map(({ strategy }) => strategy);
    assert.deepEqual(await names({}), ['ema_cross', 'trend_state', 'supertrend']);
    assert.deepEqual(await names({ rankBy: 'max_drawdown' }), ['trend_state', 'supertrend', 'ema_cross']);
    assert.deepEqual(await names({ rankBy: 'oos_return' }), ['ema_cross', 'trend_state', 'supertrend']);
    assert.deepEqual(await names({ rankBy: 'excess_return', limit: 1 }), ['trend_state']);
    assert.deepEqual(await names({ minTrades: 0, strategy: 'macd_cross' }), ['macd_cross']);
    assert.deepEqual(await names({ asset: 'ETH' }), ['supertrend']);
    const shown = await ask({ asset: 'ETH' });
    assert.deepEqual(
      [shown.computed, shown.asOf, shown.ranked, shown.luckiestSharpe, shown.rows[0].outOfSampleReturn],
      [true, window.to, 1, 2.5, null],
    );
    const none = await ask({ period: '3M' });
    assert.deepEqual([none.computed, none.rows, none.feePercent], [false, [], null]);
    // An asset without rows is no unknown one.
    assert.deepEqual(await names({ asset: 'ETH', period: '3M' }), []);
    const { status, payload } = await service.post(path('strategy-leaderboard'), { asset: 'BTCC' });
    assert.deepEqual([status, payload.message], [400, 'asset "BTCC" is not known here; did you mean "BTC"?']);
  });

  it('answer GET with the same fields in the query', async () => {
    const answer = await fetch(`${service.url}${path('list-assets')}?limit=1&tradeMarket=BTC`);
    const { payload } = (await answer.json()) as { payload: { assets: { asset: string }[] } };
    assert.deepEqual(
      payload.assets.map(({ asset }) => asset),
      ['ETH'],
    );
  });
});
