import { Decimal } from '../../../../compute/model/decimal.js';
import type { OrderRequest } from './book-order.js';
import { ExchangeRefusal } from './exchange-refusal.js';
import { filtersOf, type TradedPair } from './traded-pair.js';

const clientOrderIds = /^[.A-Z:/a-z0-9_-]{1,36}$/;

/** Throws the exchange's refusal of an order that its filters do not let through. `market`: the present price. */
export function checkRequest(request: OrderRequest, pair: TradedPair, market: Decimal): void {
  const { kind, clientOrderId, price = null, stopPrice = null, quantity, reduceOnly } = request;
  const filters = filtersOf(pair, kind);
  if (!filters) throw new ExchangeRefusal(-1121, 'Invalid symbol.');
  if (!clientOrderIds.test(clientOrderId))
    throw new ExchangeRefusal(-1100, "Illegal characters found in parameter 'newClientOrderId'.");
  const isFutures = kind === 'futures';
  for (const given of [price, stopPrice]) {
    if (given === null) continue;
    if (Decimal.read(given).sign <= 0 || !isMultiple(given, filters.tickSize))
      throw isFutures
        ? new ExchangeRefusal(-4014, 'Price not increased by tick size.')
        : new ExchangeRefusal(-1013, 'Filter failure: PRICE_FILTER');
  }
  requireNearPrice(request, market, filters.priceLimit);
  if (Decimal.read(quantity).compare(filters.minQuantity) < 0 || !isMultiple(quantity, filters.stepSize))
    throw isFutures
      ? new ExchangeRefusal(-1111, 'Precision is over the maximum defined for this asset.')
      : new ExchangeRefusal(-1013, 'Filter failure: LOT_SIZE');
  if (price === null && Decimal.read(quantity).compare(filters.maxMarketQuantity) > 0)
    throw isFutures
      ? new ExchangeRefusal(-4005, 'Quantity greater than max quantity.')
      : new ExchangeRefusal(-1013, 'Filter failure: MARKET_LOT_SIZE');
  const worth = Decimal.read(quantity).times(price === null ? market : Decimal.read(price));
  if (worth.compare(filters.minNotional) >= 0 || (isFutures && reduceOnly)) return;
  throw isFutures
    ? new ExchangeRefusal(
        -4164,
        `Order's notional must be no smaller than ${String(filters.minNotional)} (unless you choose reduce only).`,
      )
    : new ExchangeRefusal(-1013, 'Filter failure: NOTIONAL');
}

/** How far from the market's price a limit may be: on spot on both sides, on futures a purchase above and a sale below. */
export const priceBounds = {
  spot: { up: Decimal.parse('5'), down: Decimal.parse('0.2') },
  futures: { up: Decimal.parse('1.05'), down: Decimal.parse('0.95') },
};

/** `limit`: of the pair; 0: Binance's bounds. */
function requireNearPrice(
  { kind, side, type, price: text = null }: OrderRequest,
  market: Decimal,
  limit: Decimal,
): void {
  if (text === null || (type !== 'LIMIT' && type !== 'LIMIT_MAKER')) return;
  const price = Decimal.read(text);
  const isOneSided = kind === 'futures' || limit.sign > 0;
  const { up, down } =
    limit.sign > 0
      ? { up: Decimal.one.plus(limit), down: Decimal.one.minus(limit) }
      : priceBounds[isOneSided ? 'futures' : 'spot'];
  const [most, least] = [market.times(up), market.times(down)];
  const isAbove = price.compare(most) > 0;
  if (!isAbove && price.compare(least) >= 0) return;
  if (!isOneSided) throw new ExchangeRefusal(-1013, 'Filter failure: PERCENT_PRICE_BY_SIDE');
  if (isAbove && side === 'BUY')
    throw new ExchangeRefusal(-4016, `Limit price can't be higher than ${String(most)}.`);
  if (!isAbove && side === 'SELL')
    throw new ExchangeRefusal(-4024, `Limit price can't be lower than ${String(least)}.`);
}

const isMultiple = (value: string, step: Decimal): boolean => {
  const read = Decimal.read(value);
  return read.toStep(step, 'floor').compare(read) === 0;
};
