import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { LiveRig } from '../../../support/venues/live-rig.js';
import { itIsAVenue } from '../../../support/venues/venue-contract.js';

describe('a live venue on Binance', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start();
    rig = new LiveRig(exchange, context.storage, redis.redis);
  });
  after(() => exchange.close());

  itIsAVenue(() => rig);
});
