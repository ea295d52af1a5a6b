import assert from 'node:assert/strict';
import type { Exchange } from 'ccxt';
import { ExchangeProcess } from './exchange-process.js';
import { openExchangeClient } from './open-client.js';

const symbol = 'BTC/USDT';
let accounts = 0;

describe('the fake exchange as a spot exchange', function () {
  this.timeout(60_000);
  let exchange: ExchangeProcess;
  let client: Exchange;
  let key: { apiKey: string; secret: string };

  before(async () => {
    exchange = await ExchangeProcess.start();
  });
  after(() => exchange.close());

  beforeEach(async () => {
    key = { apiKey: `spotaccount${++accounts}`, secret: `secret of ${accounts}` };
    await exchange.apply({ type: 'account', account: { ...key, spot: { USDT: '1000', BTC: '2' } } });
    await exchange.faults({ seed: 1, rules: [] });
    await exchange.price('BTCUSDT', '100');
    client = await openExchangeClient(exchange.url, key);
    await client.loadMarkets();
  });

  const place = (
    type: string,
    side: string,
    amount: string,
    price?: string,
    params: Record<string, unknown> = {},
  ) => client.createOrder(symbol, type, side, amount as never, price as never, params);
  const find = (clientOrderId: string) => client.fetchOrder('', symbol, { clientOrderId });
  const balances = async () => {
    const { free, used } = (await client.fetchBalance()) as unknown as Record<string, Record<string, string>>;
    return [free.USDT, used.USDT, free.BTC, used.BTC].map(Number);
  };
  const codeOf = (action: Promise<unknown>) =>
    action.then(
      () => 'done',
      (error: Error) => error.message.replace(/^binance /, ''),
    );

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
      await codeOf(place('limit', 'sell', '1', '94', { stopLossPrice: '95' })),
      'Stop price would trigger immediately.',
    );
  });

  it('refuses an id that an open order has, and takes it again once that order has ended, as Binance does', async () => {
    await place('limit', 'buy', '1', '90', { clientOrderId: 'twice' });
    assert.match(
      await codeOf(place('limit', 'buy', '1', '90', { clientOrderId: 'twice' })),
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
      codeOf(
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
    assert.match(await codeOf(find('neverplaced')), /-2013/);
    assert.match(await codeOf(client.cancelOrder('', symbol, { clientOrderId: 'neverplaced' })), /-2011/);
  });

  it('checks signature, key and receive window', async () => {
    const other = async (more: object) =>
      codeOf((await openExchangeClient(exchange.url, { ...key, ...more })).fetchBalance());
    assert.match(await other({ secret: 'wrong' }), /-1022/);
    assert.match(await other({ apiKey: 'unknownaccount' }), /-2015/);
    await exchange.clock(6_000);
    assert.match(await codeOf(client.fetchBalance({ recvWindow: 5_000 })), /outside of the recvWindow/);
    await exchange.clock(-6_000);
    assert.match(await codeOf(client.fetchBalance()), /1000ms ahead/);
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
    assert.match(await codeOf(find('lost')), /-2013/);
  });

  it('hides a new order for a time', async () => {
    await exchange.faults({ seed: 1, rules: [{ on: 'create', fault: { kind: 'hidden', ms: 300 } }] });
    await place('limit', 'buy', '1', '90', { clientOrderId: 'hidden' });
    const created = performance.now();
    const codes = new Set<string>();
    for (;;) {
      const code = await codeOf(find('hidden'));
      if (code === 'done') break;
      codes.add(code);
    }
    assert.deepEqual([...codes], ['{"code":-2013,"msg":"Order does not exist."}']);
    assert.ok(performance.now() - created > 250);
  });
});
