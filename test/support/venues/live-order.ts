import { Decimal } from '../../../compute/model/decimal.js';
import type { VenueOrder } from '../../../storage/exchanges/trading-venue.js';

let orders = 0;

type OrderTexts = Partial<Record<'price' | 'stopPrice' | 'quantity', string | null>> &
  Partial<Omit<VenueOrder, 'price' | 'stopPrice' | 'quantity'>>;

/** A new purchase of 0.01 BTC at 60,000 on SPOT, with changes. */
export function liveOrder(userId: string, texts: OrderTexts = {}): VenueOrder {
  const { price = texts.type === 'market' || texts.type === 'stop' ? null : '60000', ...rest } = texts;
  const { stopPrice = null, quantity = '0.01', ...more } = rest;
  const read = (text: string | null) => (text === null ? null : Decimal.parse(text));
  return {
    ...{ userId, pair: { base: 'BTC', quote: 'USDT' }, account: 'SPOT', owner: 'execution' },
    ...{ clientOrderId: `live${++orders}`, side: 'buy', type: 'limit' },
    ...{ reduces: false, leverage: 1, marginMode: 'CROSS', isNew: true },
    ...more,
    price: read(price),
    stopPrice: read(stopPrice),
    quantity: Decimal.parse(quantity!),
  };
}
