import assert from 'node:assert/strict';
import type { Exchange } from 'ccxt';
import { ExchangeProcess } from './exchange-process.js';
import { openExchangeClient } from './open-client.js';

const symbol = 'BTC/USDT:USDT';
let accounts = 0;

describe('the fake exchange as a futures exchange', function () {
  this.timeout(60_000);
  let exchange: ExchangeProcess;
  let client: Exchange;
  let key: { apiKey: string; secret: string };

  before(async () => {
    exchange = await ExchangeProcess.start();
  });
  after(() => exchange.close());

  beforeEach(async () => {
    key = { apiKey: `futuresaccount${++accounts}`, secret: `secret of ${accounts}` };
    await exchange.apply({ type: 'account', account: { ...key, futures: { USDT: '1000' } } });
    await exchange.price('BTCUSDT', '10000');
    client = await openExchangeClient(exchange.url, key);
    client.options.defaultType = 'swap';
    client.options.fetchMarkets = { types: ['linear'] };
    client.has.fetchCurrencies = false;
    await client.loadMarkets();
    await client.setLeverage(10, symbol);
  });

  const place = (
    type: string,
    side: string,
    amount: string,
    price?: string,
    params: Record<string, unknown> = {},
  ) => client.createOrder(symbol, type, side, amount as never, price as never, params);
  const wallet = async () => {
    const {
      accounts: [{ futures, positions }],
    } = await exchange.ledger([key.apiKey]);
    return [futures.USDT, positions.BTCUSDT];
  };
  const messageOf = (action: Promise<unknown>) =>
    action.then(
      () => 'done',
      (error: Error) => error.message,
    );

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
