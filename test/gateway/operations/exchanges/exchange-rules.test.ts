import assert from 'node:assert/strict';
import { presentPrice } from '../../../../gateway/operations/signals/market-faults.js';
import { CircuitBreaker } from '../../../../storage/exchanges/circuit-breaker.js';
import { demoPairRules } from '../../../../compute/paper/demo-pair-rules.js';
import { FakeExchange } from '../../../support/fake-exchange/fake-exchange.js';
import { openKeyTrials, type KeyTrials } from '../../../support/jobs/key-trials.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { randomCandles } from '../../../support/candles/random-candles.js';
import { bodyV2 } from '../../../support/signals/partner-client.js';

const path = (name: string) => `/backend/analysis/${name}`;
/** What the exchange says of every pair. */
const rules = { priceTick: '0.00000001', quantityStep: '0.00001', minQuantity: '0.00001', minNotional: '0' };

describe('the rules of exchanges', () => {
  const candles = randomCandles(30);
  let exchange: FakeExchange;
  let service: TestService;
  let worker: KeyTrials | undefined;
  const ask = (name: string, body: object) => service.post(path(name), body);
  const loads = () => exchange.asked.filter((each) => each.path === '/api/v3/exchangeInfo').length;

  before(async () => {
    exchange = await FakeExchange.open([
      { base: 'BTC', quote: 'USDT', candles },
      { base: 'OLD', quote: 'USDT', candles: randomCandles(30), status: 'BREAK' },
    ]);
    const env = { MARKET: 'demo', EXCHANGES: `BINANCE=binance@${exchange.url},KRAKEN=kraken` };
    service = await openTestService({ env, computeNodes: 1 });
  });
  after(async () => {
    await worker?.close();
    await service.close();
    await exchange.close();
  });

  it('cannot be read while no market worker runs', async () => {
    const { status, payload } = await ask('exchange-rules', { exchange: 'BINANCE', asset: 'BTC' });
    assert.equal(status, 503);
    assert.match(payload.message, /^the rules of BINANCE could not be read: no market worker is running/);
    // The prices and levels of a signal can be checked without them.
    const { payload: checked } = await ask('validate-signal', { signal: bodyV2 });
    assert.equal(checked.valid, true);
  });

  it('are what the exchange says, with the fees of the base tier, read once for all pairs', async () => {
    worker = await openKeyTrials(service);
    const about = { exchange: 'BINANCE', asset: 'BTC', tradeMarket: 'USDT', account: 'SPOT' };
    const { status, payload } = await ask('exchange-rules', { exchange: 'BINANCE', asset: 'BTC' });
    assert.equal(status, 200);
    assert.deepEqual(payload, {
      ...{ ...about, ...rules },
      ...{ maxLeverage: '1', makerPercent: '0.1', takerPercent: '0.1' },
    });
    for (const asset of ['NOPE', 'OLD']) {
      const refused = await ask('exchange-rules', { exchange: 'BINANCE', asset });
      assert.deepEqual([refused.status, refused.result.type], [400, 'INVALID_INPUT_ASSET']);
      assert.equal(refused.payload.message, `"${asset}/USDT" is not traded on SPOT of BINANCE`);
    }
    assert.equal(loads(), 1);
  });

  it('tells a signal for real money the last price, asked once for all, where none is published', async () => {
    const deps = { ...service.deps, settings: { ...service.settings, LIVE_TRADING: 'on' as const } };
    const { signal } = new AbortController();
    const caller = { requestId: 'of-a-signal', address: 'ada', signal, timings: {} };
    const priceOf = (coin: string) =>
      presentPrice({ coin, quote: 'USDT', exchange: 'BINANCE', account: 'SPOT' }, deps, caller);
    const found = await Promise.all(['BTC', 'BTC', 'BTC'].map(priceOf));
    const { price } = found[0];
    // The best price of the book, where the last trade was beyond it.
    assert.ok(Math.abs(price! / candles.close.at(-1)! - 1) < 0.01, String(price));
    assert.deepEqual(found, Array(3).fill({ price, isReal: true }));
    assert.equal(exchange.asked.filter((each) => each.path === '/api/v3/ticker/24hr').length, 1);
    assert.deepEqual(await priceOf('NOPE'), { price: null, isReal: true });
  });

  it('of the paper exchange are those that its orders keep to', async () => {
    const { payload } = await ask('exchange-rules', { exchange: 'PAPER', asset: 'ETH', account: 'FUTURES' });
    const { tickSize, stepSize, minQuantity, minNotional } = demoPairRules({ base: 'ETH', quote: 'USDT' })!;
    assert.deepEqual(payload, {
      ...{ exchange: 'PAPER', asset: 'ETH', tradeMarket: 'USDT', account: 'FUTURES' },
      ...{ priceTick: String(tickSize), quantityStep: String(stepSize) },
      ...{ minQuantity: String(minQuantity), minNotional: String(minNotional) },
      ...{ maxLeverage: '125', makerPercent: '0.02', takerPercent: '0.05' },
    });
    const onBtc = { exchange: 'PAPER', asset: 'ETH', tradeMarket: 'BTC' };
    assert.equal((await ask('exchange-rules', onBtc)).status, 200);
    const refused = await ask('exchange-rules', { ...onBtc, account: 'MARGIN' });
    assert.equal(refused.payload.message, '"ETH/BTC" is not traded on MARGIN of PAPER');
  });

  it('refuses exchanges and accounts that are not supported', async () => {
    const unknown = await ask('exchange-rules', { exchange: 'BINANC', asset: 'BTC' });
    assert.equal(unknown.result.type, 'INVALID_INPUT_EXCHANGE');
    assert.match(unknown.payload.message, /did you mean "BINANCE"\?$/);
    const account = await ask('exchange-rules', { exchange: 'KRAKEN', asset: 'BTC', account: 'FUTURES' });
    assert.deepEqual([account.status, account.result.type], [400, 'INVALID_INPUT_ACCOUNT']);
  });

  it('size a position where it names exchange and asset', async () => {
    const order = {
      accountSize: '1000',
      riskPercent: '1',
      entry: '60000.123',
      stop: '59000',
      feePercent: '0',
    };
    const { payload } = await ask('position-size', { ...order, exchange: 'BINANCE', asset: 'BTC' });
    assert.deepEqual(payload.rules, {
      ...{ step: rules.quantityStep, tick: rules.priceTick, minNotional: null, feePercent: '0' },
    });
    // 10 USDT of risk over a distance of 1000.123, in steps of 0.00001.
    assert.equal(payload.quantity, '0.00999');
    const paper = await ask('position-size', { ...order, exchange: 'PAPER', asset: 'BTC' });
    assert.deepEqual(
      [paper.payload.rules.step, paper.payload.rules.tick, paper.payload.entry],
      ['0.00001', '0.01', '60000.13'],
    );
    const unnamed = await ask('position-size', { ...order, asset: 'BTC' });
    assert.deepEqual(unnamed.payload, paper.payload);
    const own = await ask('position-size', { ...order, exchange: 'PAPER', asset: 'BTC', step: '0.001' });
    assert.equal(own.payload.quantity, '0.009');
    const free = await ask('position-size', order);
    assert.deepEqual(free.payload.rules, {
      ...{ step: '0.00000001', tick: null, minNotional: null, feePercent: '0' },
    });
  });

  it('refuse an asset that is not traded', async () => {
    const order = { accountSize: '1000', riskPercent: '1', entry: '60000', stop: '59000', asset: 'NOCOIN' };
    const unknown = await ask('position-size', order);
    assert.deepEqual([unknown.status, unknown.result.type], [400, 'INVALID_INPUT_ASSET']);
  });

  it('refuse a position that names an exchange alone, or more leverage than it gives', async () => {
    const order = { accountSize: '1000', riskPercent: '1', entry: '60000', stop: '59000' };
    const alone = await ask('position-size', { ...order, exchange: 'PAPER' });
    assert.deepEqual([alone.status, alone.result.type], [400, 'INVALID_INPUT_ASSET']);
    const high = await ask('position-size', { ...order, exchange: 'PAPER', asset: 'BTC', leverage: 126 });
    assert.deepEqual([high.status, high.payload.message], [400, '"leverage" must be at most 125, found 126']);
  });

  it('warn of prices of a signal that are off the tick', async () => {
    const { payload } = await ask('validate-signal', { signal: { ...bodyV2, entry_price_max: '110.001' } });
    assert.deepEqual([payload.valid, payload.outlook.tick_size], [true, '0.01']);
    assert.ok(payload.outlook.warnings.includes('prices are rounded to multiples of 0.01: 110.001'));
  });
});

describe('GET /backend/analysis/supported-exchanges', () => {
  it('names the accounts, fees and state of each, and says why signals are not executed there', async () => {
    const env = { MARKET: 'demo', EXCHANGES: 'BINANCE=binance,KRAKEN=kraken', LIVE_TRADING: 'on' };
    const service = await openTestService({ env, computeNodes: 0 });
    try {
      await new CircuitBreaker(service.deps.redis, 'kraken').failed('it answers 418', 60_000);
      const { payload } = await service.post(path('supported-exchanges'), {});
      const [paper, binance, kraken] = payload.exchanges;
      assert.deepEqual(
        [paper.exchange, paper.kind, paper.autoExecution, paper.isMarket, paper.makerPercent],
        ['PAPER', 'paper', true, true, 0.1],
      );
      const { feesAsOf, ...rest } = binance;
      assert.match(feesAsOf, /^\d{4}-\d\d-\d\d$/);
      assert.deepEqual(rest, {
        ...{ exchange: 'BINANCE', kind: 'key', spot: true, margin: true, futures: true },
        ...{ autoExecution: true, autoExecutionReason: null, needsPassphrase: false, isMarket: false },
        ...{ feeTier: 'base', makerPercent: 0.1, takerPercent: 0.1 },
        ...{ status: 'operating', statusReason: null, retryAfterSeconds: null },
      });
      assert.deepEqual(
        [kraken.spot, kraken.futures, kraken.takerPercent, kraken.autoExecutionReason, kraken.status],
        [true, false, 0.4, 'orders cannot be placed there yet', 'paused'],
      );
      assert.equal(kraken.statusReason, 'it answers 418');
      assert.ok(kraken.retryAfterSeconds > 0 && kraken.retryAfterSeconds <= 60);
    } finally {
      await service.close();
    }
  });
});

interface Checked {
  valid: boolean;
  faults: { field: string }[];
  outlook: { liquidation_price: string | null; warnings: string[]; targets: object[] } | null;
}

describe('POST /backend/analysis/validate-signal', () => {
  let service: TestService;
  before(async () => (service = await openTestService({ env: { MARKET: 'demo' }, computeNodes: 0 })));
  after(() => service.close());
  const check = async (signal: object, version?: string) =>
    (await service.post(path('validate-signal'), { signal, ...(version ? { version } : {}) }))
      .payload as Checked;

  it('tells all faults of both versions without a key, and stores nothing', async () => {
    const { valid, faults, outlook } = await check({ coin: 'BTC' });
    assert.deepEqual([valid, outlook], [false, null]);
    const fields = (found: { field: string }[]) => found.map(({ field }) => field).sort();
    assert.deepEqual(fields(faults), [
      ...['entry_price_max', 'exchange', 'exit_price_1', 'invest', 'trade_market'],
    ]);
    assert.deepEqual(fields((await check({ coin: 'BTC' }, 'v1')).faults), [
      ...['buy_price_max', 'buy_price_min', 'exchange', 'sell_price_1', 'trade_market'],
    ]);
    const split = { ...bodyV2, invest_entry_min: 50, invest_entry_max: 20 };
    assert.equal((await check(split)).valid, false);
    assert.deepEqual(await service.storage.channels.list(), []);
  });

  it('says where a position is liquidated, and whether that comes before the stop', async () => {
    const { outlook } = await check({
      ...{ ...bodyV2, account: 'FUTURES', leverage: 20, entry_price_max: '100', entry_price_min: '100' },
      ...{ stop_loss: '90', exit_price_1: '120' },
    });
    // 100 x (1 - 1/20) / (1 - 0.005)
    assert.ok(Math.abs(Number(outlook!.liquidation_price) - 95 / 0.995) < 1e-6);
    assert.ok(outlook!.warnings.some((each) => each.includes('before the stop')));
    assert.deepEqual(outlook!.targets[0], { price: '120', percent: 20, r: 2 });
  });

  it('refuses what is no signal', async () => {
    for (const body of [{}, { signal: [] }, { signal: 'BTC' }, { signal: {}, version: 'v3' }]) {
      const { status } = await service.post(path('validate-signal'), body);
      assert.equal(status, 400, JSON.stringify(body));
    }
  });
});
