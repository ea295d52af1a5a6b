import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder, BookTrade, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
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
  tradeFields,
  tradesOf,
} from './kucoin-orders.js';
import { bookSymbolOf, spotIdOf } from './kucoin-symbols.js';

/** A list of orders: that of margin has those of cross and isolated margin. */
type SpotKind = 'spot' | 'margin';

const isolatedTrade = 'MARGIN_ISOLATED_TRADE';

/** The markets of the book that a call asks for. */
function kindsOf({ params }: RestCall, kind: SpotKind): (SpotKind | 'isolated')[] {
  if (kind === 'spot') return ['spot'];
  const tradeType = params.get('tradeType');
  if (tradeType === null) return ['margin', 'isolated'];
  return tradeType === isolatedTrade ? ['isolated'] : ['margin'];
}

/** Orders and trades of a market of high-frequency accounts. */
function endpointsOf(kind: SpotKind, path: string, orders: string): Record<string, Endpoint> {
  const kinds = (call: RestCall) => kindsOf(call, kind);
  const openRows = (call: RestCall) =>
    ordersOf(call, ...kinds(call))
      .filter(({ isOpen }) => isOpen)
      .map((order) => spotRow(call, order));
  return {
    [`POST ${path}/${kind === 'spot' ? 'orders' : 'order'}`]: (call) =>
      ackOf(placed(call, requestOf(call, kind))),
    [`GET ${path}/orders/client-order/:clientOid`]: (call) => {
      const order = orderNamed(call, ...kinds(call));
      // It answers that there is none without an error.
      return order ? spotRow(call, order) : null;
    },
    [`GET ${path}/${orders}/active/symbols`]: (call) => ({
      symbols: [...new Set(openRows(call).map(({ symbol }) => symbol))],
    }),
    [`GET ${path}/orders/active`]: openRows,
    [`GET ${path}/orders/:orderId`]: (call) => spotRow(call, orderInPath(call, ...kinds(call))),
    [`DELETE ${path}/orders/:orderId`]: (call) => {
      const order = orderInPath(call, ...kinds(call));
      call.apply({ type: 'cancel', orderId: order.id });
      return { orderId: kucoinOrderId(order) };
    },
    [`GET ${path}/fills`]: (call) => {
      const lastId = numberIn(call, 'lastId', Infinity);
      const items = fillsOf(call, 'high frequency', kinds(call))
        .filter(({ id }) => id < lastId)
        .slice(0, Math.min(100, numberIn(call, 'limit', 20)));
      return { items, lastId: items.at(-1)?.id ?? 0 };
    },
  };
}

/** The trades of an account, where it is of a kind: each kind has a list of its own. */
function fillsOf(call: RestCall, kind: 'high frequency' | 'classic' | 'unified', kinds: SpotOrderKinds) {
  const { isHighFrequency = true, isUnified = false } = accountOf(call).setup;
  const own = isUnified ? 'unified' : isHighFrequency ? 'high frequency' : 'classic';
  const orders = own === kind ? ordersOf(call, ...kinds) : [];
  return tradesOf(call, orders).map((trade) => fillRow(call, trade));
}

type SpotOrderKinds = ReturnType<typeof kindsOf>;

/** A page of the trades of an account that is not for many orders; its rows do not say how the list goes on. */
export function classicFills(call: RestCall) {
  const fills = fillsOf(call, 'classic', ['spot']);
  const pageSize = Math.min(500, Math.max(10, numberIn(call, 'pageSize', 50)));
  const items = fills.slice(0, pageSize).map((fill) => ({ ...fill, id: undefined }));
  return { currentPage: 1, pageSize, totalNum: fills.length, items };
}

function unifiedFills(call: RestCall) {
  const fills = fillsOf(call, 'unified', ['spot']).slice(0, Math.min(100, numberIn(call, 'pageSize', 20)));
  const items = fills.map(({ side, funds, createdAt, ...row }) => ({
    ...{ ...row, id: undefined, side: side.toUpperCase(), value: funds, executionTime: createdAt * 1e6 },
    ...{ orderType: 'LIMIT', liquidityRole: 'TAKER' },
  }));
  return { tradeType: call.params.get('tradeType'), lastId: 1, items };
}

export const kucoinSpotEndpoints: Record<string, Endpoint> = {
  'GET /api/ua/v1/unified/order/execution': unifiedFills,
  ...endpointsOf('spot', '/api/v1/hf', 'orders'),
  ...endpointsOf('margin', '/api/v3/hf/margin', 'order'),
};

function spotRow({ engine }: RestCall, order: BookOrder) {
  const { request, price, quantity, executed, cost, isOpen } = order;
  return {
    ...orderFields(order),
    symbol: spotIdOf(engine.pairOf(request.symbol)),
    price: String(price ?? 0),
    size: String(quantity),
    funds: '0',
    dealSize: String(executed),
    dealFunds: String(cost),
    ...{ fee: '0', feeCurrency: 'USDT' },
    tradeType: tradeTypeOf(request),
    active: isOpen,
  };
}

const fillRow = ({ engine }: RestCall, trade: BookTrade) => ({
  ...tradeFields(trade),
  id: trade.id,
  symbol: spotIdOf(engine.pairOf(trade.symbol)),
  tradeId: 1_000_000 + trade.id,
  size: String(trade.quantity),
  funds: String(trade.price.times(trade.quantity)),
  ...{ feeRate: '0.001', tradeType: tradeTypeOf(trade), type: 'limit' },
});

const tradeTypeOf = ({ kind }: Pick<OrderRequest, 'kind'>): string =>
  kind === 'spot' ? 'TRADE' : kind === 'isolated' ? isolatedTrade : 'MARGIN_TRADE';

function requestOf(call: RestCall, of: SpotKind): OrderRequest {
  const { params, apiKey: account } = call;
  const clientOrderId = params.get('clientOid') ?? newClientId();
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(clientOrderId)) throw new ExchangeRefusal(400100, 'clientOid invalid');
  const isLimit = required(call, 'type') === 'limit';
  // `marginModel` belongs to another endpoint, and means nothing here.
  const kind = of === 'margin' && params.get('isIsolated') === 'true' ? 'isolated' : of;
  // Ids are refused while their order is open, as in the book.
  return {
    ...{ kind, account, clientOrderId, symbol: bookSymbolOf(call, required(call, 'symbol')) },
    type: isLimit ? 'LIMIT' : 'MARKET',
    side: required(call, 'side') === 'buy' ? 'BUY' : 'SELL',
    // https://www.kucoin.com/docs-new/rest/spot-trading/orders/add-order: `timeInForce` GTC, GTT, IOC, FOK
    timeInForce: params.get('timeInForce') ?? 'GTC',
    price: isLimit ? required(call, 'price') : null,
    quantity: String(Decimal.read(required(call, 'size'))),
    borrows: params.get('autoBorrow') === 'true',
  };
}
