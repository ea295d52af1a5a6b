import assert from 'node:assert/strict';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../support/venues/live-order.js';
import { LiveRig } from '../../../support/venues/live-rig.js';
import { itIsAVenue } from '../../../support/venues/venue-contract.js';

for (const [dialect, name, turnover, contracts, listOfPairs] of [
  ['binance', 'Binance', '1000000000', '1000000000', '/api/v3/exchangeInfo'],
  ['bybit', 'Bybit', '1000000', '1000000', '/v5/market/instruments-info'],
  ['kucoin', 'KuCoin', '1', 'not told', '/api/v2/symbols'],
] as const)
  describe(`a live venue on ${name}`, function () {
    this.timeout(60_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let exchange: ExchangeProcess;
    let rig: LiveRig;
    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      rig = new LiveRig(exchange, context.storage, redis.redis);
    });
    after(() => exchange.close());

    itIsAVenue(() => rig);

    it('tells what was traded of a pair in a day, in USDT', async () => {
      await rig.price('60000');
      const traded = await rig.venue.markets.get('SPOT')!.turnover!(rig.pair);
      assert.equal(String(traded), turnover);
      // The fake exchange of KuCoin does not tell it for contracts.
      const ofContract = await rig.venue.markets.get('FUTURES')!.turnover!(rig.pair);
      assert.equal(dialect === 'kucoin' ? 'not told' : String(ofContract), contracts);
    });

    it('places, finds and cancels orders while its pairs, an hour old, are loaded again', async () => {
      await rig.price('61000');
      const userId = await rig.user('1000');
      const venue = rig.open(30_000);
      await venue.rules(rig.pair, 'SPOT');
      const fault = { kind: 'silence', isDone: false } as const;
      await exchange.faults({ seed: 1, rules: [{ on: 'any', path: listOfPairs, times: null, fault }] });
      const now = Date.now;
      Date.now = () => now() + 3_600_001;
      const rules = venue.rules(rig.pair, 'SPOT');
      Date.now = now;
      assert.ok(await rules);
      const order = liveOrder(userId, { quantity: '0.002' });
      const [placed] = await venue.place([order]);
      assert.ok('state' in placed, JSON.stringify(placed));
      await venue.cancel([order]);
      const asked = (await exchange.requests()).findLast(({ path }) => path === listOfPairs)!;
      // Its answer is awaited for half a minute.
      assert.deepEqual([asked.fault, asked.status], ['silence before', 0]);
      await exchange.faults({ seed: 1, rules: [] });
    });
  });
