import { Decimal } from '../../../../compute/model/decimal.js';
import { absolute } from '../book/account-funds.js';
import type { BookOrder, BookTrade, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { marginAsset } from '../book/futures-funds.js';
import {
  accountOf,
  newClientId,
  numberIn,
  placed,
  required,
  type Endpoint,
  type RestCall,
} from '../rest/rest-call.js';
import {
  ackOf,
  kucoinOrderId,
  orderFields,
  orderInPath,
  orderNamed,
  ordersOf,
  pageOf,
  tradeFields,
  tradesOf,
} from './kucoin-orders.js';
import { classicFills } from './kucoin-spot-endpoints.js';
import { bookSymbolOf, contractIdOf, contractsIn, multiplierOf, pairOf } from './kucoin-symbols.js';

/** Orders, positions and the account of futures. Sizes are numbers of contracts. */
export const kucoinFuturesEndpoints: Record<string, Endpoint> = {
  'POST /api/v1/orders': (call) => {
    const request = requestOf(call);
    const [{ isIsolated }] = accountOf(call).futures.ofSymbol(request.symbol);
    if (call.params.get('marginMode') !== (isIsolated ? 'ISOLATED' : 'CROSS'))
      throw new ExchangeRefusal(330005, "The order's margin mode does not match the selected one.");
    // On isolated margin an order brings its leverage.
    const leverage = numberIn(call, 'leverage', 1);
    if (isIsolated && !request.reduceOnly)
      call.apply({ type: 'leverage', apiKey: call.apiKey, symbol: request.symbol, leverage });
    return ackOf(placed(call, request));
  },
  'GET /api/v1/orders/byClientOid': (call) => {
    const order = orderNamed(call, 'futures');
    if (!order) throw new ExchangeRefusal(-2013, 'Order does not exist.');
    return futuresRow(call, order);
  },
  'GET /api/v1/orders/:orderId': (call) => futuresRow(call, orderInPath(call, 'futures')),
  'DELETE /api/v1/orders/:orderId': (call) => {
    const order = orderInPath(call, 'futures');
    if (!order.isOpen) throw new ExchangeRefusal(100004, 'Order is in not cancelable state');
    call.apply({ type: 'cancel', orderId: order.id });
    return { cancelledOrderIds: [kucoinOrderId(order)] };
  },
  'GET /api/v1/orders': (call) => openPage(call, true),
  'GET /api/v1/stopOrders': (call) => openPage(call, false),
  'GET /api/v1/fills': (call) => {
    // Spot has an address of its own, which here is one.
    if (call.params.get('symbol')?.includes('-')) return classicFills(call);
    const trades = tradesOf(call, ordersOf(call, 'futures'));
    return pageOf(
      call,
      trades.map((trade) => fillRow(call, trade)),
    );
  },
  'GET /api/v1/positions': (call) =>
    accountOf(call).futures.held.map((position) => {
      const { symbol, quantity, entryPrice, isIsolated, positionSide } = position;
      const pair = call.engine.pairOf(symbol);
      return {
        ...{ id: `${symbol} ${positionSide}`, positionSide, symbol: contractIdOf(pair) },
        ...{ crossMode: !isIsolated, isOpen: true, settleCurrency: marginAsset },
        currentQty: contractsIn(quantity, pair),
        avgEntryPrice: Number(String(entryPrice)),
        liquidationPrice: Number(String(accountOf(call).futures.liquidationPrice(position) ?? 0)),
        markPrice: Number(String(call.engine.priceOf(symbol))),
        posCost: Number(String(absolute(quantity).times(entryPrice))),
      };
    }),
  'GET /api/v2/position/getPositionMode': (call) => ({
    positionMode: accountOf(call).futures.isHedged ? 1 : 0,
  }),
  'GET /api/v1/account-overview': (call) => {
    const { futures } = accountOf(call);
    const open = call.engine.openOrders(call.apiKey, 'futures');
    const free = futures.available(open);
    const gains = futures.gains();
    return {
      currency: marginAsset,
      accountEquity: Number(String(futures.wallet.plus(gains))),
      unrealisedPNL: Number(String(gains)),
      marginBalance: Number(String(futures.wallet)),
      positionMargin: Number(String(futures.positionMargin())),
      orderMargin: Number(String(futures.orderMargins(open))),
      frozenFunds: 0,
      availableBalance: Number(String(free.sign < 0 ? Decimal.zero : free)),
    };
  },
  'POST /api/v2/changeCrossUserLeverage': (call) => {
    const symbol = bookSymbolOf(call, required(call, 'symbol'));
    const leverage = Number(required(call, 'leverage'));
    if (!(leverage >= 1 && leverage <= 125)) throw new ExchangeRefusal(100001, 'leverage is invalid');
    call.apply({ type: 'leverage', apiKey: call.apiKey, symbol, leverage });
    return { symbol, leverage: String(leverage) };
  },
  'POST /api/v2/position/changeMarginMode': (call) => {
    const symbol = bookSymbolOf(call, required(call, 'symbol'));
    const isIsolated = required(call, 'marginMode') === 'ISOLATED';
    const positions = accountOf(call).futures.ofSymbol(symbol);
    if (positions.some((each) => each.isIsolated !== isIsolated)) {
      if (positions.some(({ quantity }) => quantity.sign !== 0))
        throw new ExchangeRefusal(330003, 'Close all positions before the margin mode is switched.');
      call.apply({ type: 'margin type', apiKey: call.apiKey, symbol, isIsolated });
    }
    return { symbol: call.params.get('symbol'), marginMode: isIsolated ? 'ISOLATED' : 'CROSS' };
  },
};

const openPage = (call: RestCall, isInBook: boolean) => {
  const open = ordersOf(call, 'futures').filter(({ isOpen, isWorking }) => isOpen && isWorking === isInBook);
  return pageOf(
    call,
    open.map((order) => futuresRow(call, order)),
  );
};

function futuresRow({ engine }: RestCall, order: BookOrder) {
  const { request, price, stopPrice, quantity, executed, cost, isOpen } = order;
  const pair = engine.pairOf(request.symbol);
  const isRise = request.triggerDirection === 'rise';
  return {
    ...orderFields(order),
    symbol: contractIdOf(pair),
    price: price && String(price),
    size: contractsIn(quantity, pair),
    filledSize: contractsIn(executed, pair),
    filledValue: String(cost),
    dealSize: contractsIn(executed, pair),
    stop: stopPrice ? (isRise ? 'up' : 'down') : '',
    stopPriceType: stopPrice ? 'TP' : '',
    stopTriggered: stopPrice !== null && order.isWorking,
    stopPrice: stopPrice && String(stopPrice),
    isActive: isOpen,
    status: isOpen ? 'open' : 'done',
    reduceOnly: request.reduceOnly ?? false,
    updatedAt: order.updateTime,
    settleCurrency: marginAsset,
  };
}

/** What made the order of a trade: the exchange closes positions, too. */
const tradeTypeOf = ({ engine }: RestCall, { orderId }: BookTrade): string => {
  const { clientOrderId } = engine.orders[orderId - 1].request;
  if (clientOrderId.startsWith('settlement_autoclose-')) return 'settlement';
  return clientOrderId.startsWith('autoclose-') ? 'liquidation' : 'trade';
};

const fillRow = (call: RestCall, trade: BookTrade) => {
  const pair = call.engine.pairOf(trade.symbol);
  return {
    ...tradeFields(trade),
    symbol: contractIdOf(pair),
    tradeId: `fill${trade.id}`,
    size: contractsIn(trade.quantity, pair),
    value: String(trade.price.times(trade.quantity)),
    ...{ feeRate: '0.0006', orderType: 'limit' },
    tradeType: tradeTypeOf(call, trade),
  };
};

function requestOf(call: RestCall): OrderRequest {
  const { params, apiKey: account } = call;
  const pair = pairOf(call, required(call, 'symbol'));
  if (!pair.futures) throw new ExchangeRefusal(-1121, 'Invalid symbol.');
  const size = required(call, 'size');
  if (!/^[1-9]\d*$/.test(size)) throw new ExchangeRefusal(-1111, 'Order size increment invalid.');
  const isLimit = required(call, 'type') === 'limit';
  const hasStop = params.has('stop');
  const positionSide = params.get('positionSide') ?? 'BOTH';
  const stopType = isLimit ? 'STOP' : 'STOP_MARKET';
  return {
    ...{ kind: 'futures', account, symbol: bookSymbolOf(call, required(call, 'symbol')) },
    clientOrderId: params.get('clientOid') ?? newClientId(),
    type: hasStop ? stopType : isLimit ? 'LIMIT' : 'MARKET',
    side: required(call, 'side') === 'buy' ? 'BUY' : 'SELL',
    // https://www.kucoin.com/docs-new/rest/spot-trading/orders/add-order: `timeInForce` GTC, GTT, IOC, FOK
    timeInForce: params.get('timeInForce') ?? 'GTC',
    price: isLimit ? required(call, 'price') : null,
    stopPrice: hasStop ? required(call, 'stopPrice') : null,
    quantity: String(Decimal.read(size).times(multiplierOf(pair))),
    reduceOnly: params.get('reduceOnly') === 'true',
    isAlgo: hasStop,
    ...(positionSide !== 'BOTH' && { positionSide: positionSide as 'LONG' | 'SHORT' }),
    ...(hasStop && { triggerDirection: params.get('stop') === 'up' ? 'rise' : 'fall' }),
  };
}
