import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { LiveRig } from '../../../support/venues/live-rig.js';
import { itIsAVenue } from '../../../support/venues/venue-contract.js';

for (const [dialect, name] of [
  ['binance', 'Binance'],
  ['bybit', 'Bybit'],
  ['kucoin', 'KuCoin'],
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
  });
