import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { priceInBand } from '../../../../compute/model/pair-rules.js';
import { defaultPairs } from '../../../support/fake-exchange/book/traded-pair.js';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../support/venues/live-order.js';
import { LiveRig } from '../../../support/venues/live-rig.js';

const market = Decimal.parse('60000');

for (const [dialect, account] of [
  ['bybit', 'SPOT'],
  ['bybit', 'FUTURES'],
  ['kucoin', 'SPOT'],
] as const)
  describe(`the price limits of ${dialect} on ${account}`, function () {
    this.timeout(60_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let exchange: ExchangeProcess;
    let rig: LiveRig;
    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      rig = new LiveRig(exchange, context.storage, redis.redis);
      const [{ base, quote, spot, futures }] = defaultPairs;
      const limited = {
        base,
        quote,
        spot: { ...spot, priceLimit: '0.03' },
        futures: { ...futures!, priceLimit: '0.03' },
      };
      await exchange.apply({ type: 'pairs', pairs: [limited] });
      await rig.price('60000');
    });
    after(() => exchange.close());

    it('are known before an order is sent: the nearest price that it takes, and none beyond', async () => {
      const { pair, venue } = rig;
      const userId = await rig.account({ spot: { USDT: '90000', BTC: '1' }, futures: { USDT: '90000' } });
      const rules = (await venue.rules(pair, account))!;
      const near = (price: string, side: 'buy' | 'sell') =>
        priceInBand(Decimal.parse(price), side, { market, rules });
      assert.deepEqual([near('70000', 'buy'), near('50000', 'sell')].map(String), ['61800', '58200']);
      assert.deepEqual([near('50000', 'buy'), near('70000', 'sell')].map(String), ['50000', '70000']);
      const order = (side: 'buy' | 'sell', price: string) =>
        liveOrder(userId, { account, side, price, quantity: '0.01' });
      await rig.accepted(order('buy', '61800'));
      await rig.accepted(order('sell', '58200'));
      await rig.accepted(order('sell', '70000'));
      await rig.refusal(order('buy', String(market.times(Decimal.parse('1.031')))));
      await rig.refusal(order('sell', String(market.times(Decimal.parse('0.969')))));
    });
  });
