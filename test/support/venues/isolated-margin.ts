import type { VenueOrder } from '../../../storage/exchanges/trading-venue.js';
import type { DialectName } from '../fake-exchange/dialects.js';
import { ExchangeProcess } from '../fake-exchange/exchange-process.js';
import { temporaryRedis } from '../servers/temporary-redis.js';
import { temporaryStorage } from '../servers/temporary-storage.js';
import { liveOrder } from './live-order.js';
import { LiveRig } from './live-rig.js';

export const eth = { base: 'ETH', quote: 'USDT' };

/** An exchange with isolated margin, where BTC costs 61,000 and ETH 3,000 USDT before each test; call it in `describe`. */
export function isolatedMargin(dialect: DialectName) {
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start(dialect);
    rig = new LiveRig(exchange, context.storage, redis.redis);
    await exchange.price('ETHUSDT', '3000');
  });
  after(() => exchange.close());
  beforeEach(() => rig.price('61000'));
  return {
    get exchange() {
      return exchange;
    },
    get rig() {
      return rig;
    },
    /** An order with isolated margin and a leverage of 3. */
    order: (userId: string, more: Parameters<typeof liveOrder>[1] = {}): VenueOrder =>
      liveOrder(userId, { account: 'MARGIN', marginMode: 'ISOLATED', leverage: 3, ...more }),
    /** A user with 5,000 USDT in cross margin, 1,000 in the account of BTC/USDT and 70 in that of ETH/USDT. */
    user: () =>
      rig.account({
        margin: { USDT: '5000' },
        isolated: { BTCUSDT: { USDT: '1000' }, ETHUSDT: { USDT: '70' } },
      }),
  };
}
