import assert from 'node:assert/strict';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { LiveRig } from '../../../support/venues/live-rig.js';
import { itIsAVenue } from '../../../support/venues/venue-contract.js';

for (const [dialect, name, turnover, contracts] of [
  ['binance', 'Binance', '1000000000', '1000000000'],
  ['bybit', 'Bybit', '1000000', '1000000'],
  ['kucoin', 'KuCoin', '1', 'not told'],
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
  });
