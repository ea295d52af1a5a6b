import assert from 'node:assert/strict';
import type { Exchange } from 'ccxt';
import { openCcxt } from '../../../storage/exchanges/open-ccxt.js';
import { until } from '../process/until.js';
import type { AccountSetup } from './book/exchange-command.js';
import { ExchangeProcess } from './exchange-process.js';

type Key = Pick<AccountSetup, 'apiKey' | 'secret'>;

/** ccxt's client of the fake exchange with a key, as an adapter of Tidemark opens it. */
async function openClient(url: string, key: Key): Promise<Exchange> {
  const { exchange } = await openCcxt({
    ...{ id: 'binance', url, timeoutMs: 2_000, key: { ...key, passphrase: null } },
    signal: new AbortController().signal,
    afterAnswer: () => Promise.resolve(),
  });
  return exchange;
}

let accounts = 0;

/** The client of an account, and what places orders by that. */
async function openTrader(url: string, symbol: string, key: Key) {
  const client = await openClient(url, key);
  const place = (
    type: string,
    side: string,
    amount: string,
    price?: string,
    params: Record<string, unknown> = {},
  ) => client.createOrder(symbol, type, side, amount as never, price as never, params);
  return { client, place };
}

const messageOf = (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => 'done',
    (error: Error) => error.message.replace(/^binance /, ''),
  );

describe('the fake exchange as a spot exchange', function () {
  this.timeout(60_000);
  const symbol = 'BTC/USDT';
  let exchange: ExchangeProcess;
  let client: Exchange;
  let key: Key;
  let place: Awaited<ReturnType<typeof openTrader>>['place'];

  before(async () => {
    exchange = await ExchangeProcess.start();
  });
  after(() => exchange.close());

  beforeEach(async () => {
    key = { apiKey: `spotaccount${++accounts}`, secret: `secret of ${accounts}` };
    await exchange.apply({ type: 'account', account: { ...key, spot: { USDT: '1000', BTC: '2' } } });
    ({ client, place } = await openTrader(exchange.url, symbol, key));
    await exchange.faults({ seed: 1, rules: [] });
    await exchange.price('BTCUSDT', '100');
    await client.loadMarkets();
  });

  const find = (clientOrderId: string) => client.fetchOrder('', symbol, { clientOrderId });
  const balances = async () => {
    const { free, used } = (await client.fetchBalance()) as unknown as Record<string, Record<string, string>>;
    return [free.USDT, used.USDT, free.BTC, used.BTC].map(Number);
  };

  it('states the filters of its pairs', () => {
    const { precision, limits } = client.market(symbol);
    assert.deepEqual([precision.price, precision.amount, limits.amount?.min, limits.cost?.min].map(String), [
      '0.01',
      '0.00001',
      '0.00001',
      '5',
    ]);
  });

  it('rests a limit order, locks its cost, and fills it at its price with a fee in what is bought', async () => {
    await place('limit', 'buy', '1', '90', { clientOrderId: 'resting' });
    assert.deepEqual(await balances(), [910, 90, 2, 0]);
    await exchange.price('BTCUSDT', '89.5');
    const { status, filled } = await find('resting');
    assert.deepEqual([status, Number(filled)], ['closed', 1]);
    assert.deepEqual(await balances(), [910, 0, 2.999, 0]);
    const [trade] = await client.fetchMyTrades(symbol);
    assert.deepEqual(
      [trade.side, Number(trade.amount), Number(trade.price), trade.fee],
      ['buy', 1, 90, { cost: '0.00100000', currency: 'BTC' }],
    );
  });

  it('fills as much as a price trades, the oldest order first', async () => {
    await place('limit', 'buy', '1', '90', { clientOrderId: 'older' });
    await place('limit', 'buy', '1', '91', { clientOrderId: 'newer' });
    await exchange.price('BTCUSDT', '90', '1.25');
    const found = await Promise.all(['older', 'newer'].map(find));
    assert.deepEqual(
      found.map(({ status, filled }) => [status, Number(filled)]),
      [
        ['closed', 1],
        ['open', 0.25],
      ],
    );
    const cancelled = await client.cancelOrder('', symbol, { clientOrderId: 'newer' });
    assert.equal(cancelled.status, 'canceled');
  });

  it('holds a stop-limit order back until its price is reached', async () => {
    const params = { clientOrderId: 'stop', stopLossPrice: '95' };
    await place('limit', 'sell', '1', '94', params);
    await exchange.price('BTCUSDT', '95.01');
    assert.equal((await find('stop')).status, 'open');
    await exchange.price('BTCUSDT', '94.5');
    assert.equal((await find('stop')).status, 'closed');
    assert.equal(
      await messageOf(place('limit', 'sell', '1', '94', { stopLossPrice: '95' })),
      'Stop price would trigger immediately.',
    );
  });

  it('refuses an id that an open order has, and takes it again once that order has ended, as Binance does', async () => {
    await place('limit', 'buy', '1', '90', { clientOrderId: 'twice' });
    assert.match(
      await messageOf(place('limit', 'buy', '1', '90', { clientOrderId: 'twice' })),
      /Duplicate order sent/,
    );
    await client.cancelOrder('', symbol, { clientOrderId: 'twice' });
    await place('limit', 'buy', '1', '90', { clientOrderId: 'twice' });
    const { orders } = await exchange.ledger([key.apiKey]);
    assert.deepEqual(
      orders.map(({ clientOrderId, status }) => [clientOrderId, status]),
      [
        ['twice', 'CANCELED'],
        ['twice', 'NEW'],
      ],
    );
  });

  it('refuses wrong ticks, steps, values, balances and unknown orders with the codes of Binance', async () => {
    const post = (params: Record<string, string>) =>
      messageOf(
        (client as unknown as { privatePostOrder: (params: object) => Promise<unknown> }).privatePostOrder({
          symbol: 'BTCUSDT',
          side: 'BUY',
          type: 'LIMIT',
          timeInForce: 'GTC',
          quantity: '1',
          price: '90',
          ...params,
        }),
      );
    assert.match(await post({ price: '90.001' }), /PRICE_FILTER/);
    assert.match(await post({ quantity: '0.000001' }), /LOT_SIZE/);
    assert.match(await post({ quantity: '0.01' }), /NOTIONAL/);
    assert.match(await post({ quantity: '100' }), /insufficient balance/);
    assert.match(await messageOf(find('neverplaced')), /-2013/);
    assert.match(await messageOf(client.cancelOrder('', symbol, { clientOrderId: 'neverplaced' })), /-2011/);
  });

  it('checks signature, key and receive window', async () => {
    const other = async (more: object) =>
      messageOf((await openClient(exchange.url, { ...key, ...more })).fetchBalance());
    assert.match(await other({ secret: 'wrong' }), /-1022/);
    assert.match(await other({ apiKey: 'unknownaccount' }), /-2015/);
    await exchange.clock(6_000);
    assert.match(await messageOf(client.fetchBalance({ recvWindow: 5_000 })), /outside of the recvWindow/);
    await exchange.clock(-6_000);
    assert.match(await messageOf(client.fetchBalance()), /1000ms ahead/);
    await exchange.clock(0);
  });

  it('is the same after it was killed', async () => {
    await place('limit', 'buy', '1', '90', { clientOrderId: 'kept' });
    await place('market', 'sell', '0.5', undefined, { clientOrderId: 'sold' });
    const before = await exchange.ledger([key.apiKey]);
    await exchange.restart();
    assert.deepEqual(await exchange.ledger([key.apiKey]), before);
    assert.equal((await find('kept')).status, 'open');
  });

  it('lets requests go wrong by a script', async () => {
    const rules = [
      { on: 'create', fault: { kind: 'status', isDone: true, status: 503 } },
      { on: 'create', skip: 1, fault: { kind: 'reset', isDone: false } },
      { on: 'find', fault: { kind: 'status', isDone: false, status: 429, retryAfter: 3 } },
    ] as const;
    await exchange.faults({ seed: 1, rules });
    await assert.rejects(place('limit', 'buy', '1', '90', { clientOrderId: 'taken' }));
    await assert.rejects(place('limit', 'buy', '1', '90', { clientOrderId: 'lost' }));
    await assert.rejects(find('taken'), { name: 'DDoSProtection' });
    assert.equal((await find('taken')).status, 'open');
    assert.match(await messageOf(find('lost')), /-2013/);
  });

  it('hides a new order for a time', async () => {
    await exchange.faults({ seed: 1, rules: [{ on: 'create', fault: { kind: 'hidden', ms: 300 } }] });
    await place('limit', 'buy', '1', '90', { clientOrderId: 'hidden' });
    const created = performance.now();
    const codes = new Set<string>();
    for (;;) {
      const code = await messageOf(find('hidden'));
      if (code === 'done') break;
      codes.add(code);
    }
    assert.deepEqual([...codes], ['{"code":-2013,"msg":"Order does not exist."}']);
    assert.ok(performance.now() - created > 250);
  });
});

describe('the fake exchange as a futures exchange', function () {
  this.timeout(60_000);
  const symbol = 'BTC/USDT:USDT';
  let exchange: ExchangeProcess;
  let client: Exchange;
  let key: Key;
  let place: Awaited<ReturnType<typeof openTrader>>['place'];

  before(async () => {
    exchange = await ExchangeProcess.start();
  });
  after(() => exchange.close());

  beforeEach(async () => {
    key = { apiKey: `futuresaccount${++accounts}`, secret: `secret of ${accounts}` };
    await exchange.apply({ type: 'account', account: { ...key, futures: { USDT: '1000' } } });
    ({ client, place } = await openTrader(exchange.url, symbol, key));
    await exchange.price('BTCUSDT', '10000');
    client.options.defaultType = 'swap';
    client.options.fetchMarkets = { types: ['linear'] };
    client.has.fetchCurrencies = false;
    await client.loadMarkets();
    await client.setLeverage(10, symbol);
  });

  const wallet = async () => {
    const [{ futures, positions }] = (await exchange.ledger([key.apiKey])).accounts;
    return [futures.USDT, positions.BTCUSDT];
  };

  it('opens a position with a fee in USDT, and tells it with its liquidation price', async () => {
    await client.setMarginMode('isolated', symbol);
    await place('market', 'buy', '0.1');
    // 0.1 x 10,000 x 0.05 %
    assert.deepEqual(await wallet(), ['999.5', '0.1']);
    const [position] = await client.fetchPositionsRisk([symbol]);
    const { side, contracts, entryPrice, liquidationPrice, marginMode } = position;
    // Margin 100: 100 + 0.1 (p - 10,000) = 0.1 p 0.4 %, so p = 900 / 0.0996.
    assert.deepEqual([side, contracts, entryPrice, liquidationPrice, marginMode].map(String), [
      'long',
      '0.1',
      '10000',
      '9036.14457831',
      'isolated',
    ]);
  });

  it('closes by force at the liquidation price', async () => {
    await client.setMarginMode('isolated', symbol);
    await place('market', 'buy', '0.1');
    await exchange.price('BTCUSDT', '9036.2');
    assert.equal((await wallet())[1], '0.1');
    await exchange.price('BTCUSDT', '9036.1');
    assert.equal((await wallet())[1], '0');
    const { orders } = await exchange.ledger([key.apiKey]);
    assert.match(orders.at(-1)!.clientOrderId, /^autoclose-/);
  });

  it('lets reduce-only orders close a position, and never open one', async () => {
    assert.match(await messageOf(place('market', 'sell', '0.1', undefined, { reduceOnly: true })), /-2022/);
    await place('market', 'sell', '0.1');
    await place('market', 'buy', '0.3', undefined, { reduceOnly: true });
    assert.equal((await wallet())[1], '0');
    const { orders } = await exchange.ledger([key.apiKey]);
    assert.deepEqual(
      orders.map(({ side, executed, status }) => [side, executed, status]),
      [
        ['SELL', '0.1', 'FILLED'],
        ['BUY', '0.1', 'EXPIRED'],
      ],
    );
  });

  it('takes no purchase far above the price and no sale far below it, and no order while the symbol is closed', async () => {
    assert.match(await messageOf(place('limit', 'buy', '0.01', '10600')), /-4016.*higher than 10500/);
    assert.match(await messageOf(place('limit', 'sell', '0.01', '9400')), /-4024.*lower than 9500/);
    const { id = '' } = await place('limit', 'buy', '0.01', '9000');
    await exchange.halt('BTCUSDT');
    assert.match(await messageOf(place('limit', 'buy', '0.01', '10000')), /-4141/);
    await exchange.price('BTCUSDT', '8900');
    assert.equal((await client.fetchOrder(id, symbol)).status, 'open');
    await exchange.halt('BTCUSDT', false);
    await exchange.price('BTCUSDT', '8900');
    assert.equal((await client.fetchOrder(id, symbol)).status, 'closed');
  });

  it('keeps a conditional order apart until its price is reached, and then names the order that it made', async () => {
    await place('market', 'buy', '0.1');
    const params = { clientOrderId: 'stop', stopLossPrice: '9500', reduceOnly: true };
    await place('market', 'sell', '0.1', undefined, params);
    const find = () => client.fetchOrder('', symbol, { clientOrderId: 'stop', trigger: true });
    assert.equal((await find()).status, 'open');
    assert.equal((await client.fetchOpenOrders(symbol)).length, 0);
    assert.equal((await client.fetchOpenOrders(symbol, undefined, undefined, { trigger: true })).length, 1);
    await exchange.price('BTCUSDT', '9499');
    const { status, info } = await find();
    assert.equal(status, 'closed');
    const { actualOrderId } = info as { actualOrderId: string };
    const trades = await client.fetchMyTrades(symbol, undefined, undefined, { orderId: actualOrderId });
    assert.deepEqual(
      trades.map(({ side, amount, price }) => [side, Number(amount), Number(price)]),
      [['sell', 0.1, 9499]],
    );
  });

  it('refuses duplicate ids, margin that is missing and stops that would trigger at once', async () => {
    await place('limit', 'buy', '0.1', '9000', { clientOrderId: 'twice' });
    assert.match(await messageOf(place('limit', 'buy', '0.1', '9000', { clientOrderId: 'twice' })), /-4116/);
    assert.match(await messageOf(place('market', 'buy', '1')), /-2019/);
    await place('market', 'buy', '0.1');
    const stop = { stopLossPrice: '10500', reduceOnly: true };
    assert.match(await messageOf(place('market', 'sell', '0.1', undefined, stop)), /-2021/);
  });
});

describe('ExchangeProcess', () => {
  it('is closed when its process has ended already, as by a signal to all processes of a command', async () => {
    const exchange = await ExchangeProcess.start();
    process.kill(exchange.pid, 'SIGKILL');
    const isGone = () =>
      exchange.price('BTCUSDT', '1').then(
        () => false,
        () => true,
      );
    await until('the end of the process', isGone);
    await exchange.close();
  });
});
