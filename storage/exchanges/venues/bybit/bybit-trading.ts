import type { bybit as Bybit, Order } from 'ccxt';
import { readDecimal } from '../../read-decimal.js';
import type { VenueTrading } from '../../venue-trading.js';
import { forcedOrders } from '../../forced-orders.js';
import { oneSidedBand } from '../../one-sided-band.js';
import { findBybitOrder, isWaitingStop, openBybitOrders } from './bybit-orders.js';
import { bybitClosedBy, bybitTrades } from './bybit-trades.js';
import { prepareBybit } from './prepare-bybit.js';

const receiveWindowMs = 5_000;

/** The account of a balance in ccxt's words. A unified account has one wallet for all of them. */
const inWallet = {
  SPOT: { type: 'spot' },
  MARGIN: { type: 'spot' },
  FUTURES: { type: 'swap', subType: 'linear' },
} as const;

/** Bybit with a unified account: spot, spot with borrowed money, and perpetual futures that settle in USDT. */
export const bybitTrading: VenueTrading<Bybit> = {
  accounts: new Set(['SPOT', 'MARGIN', 'FUTURES']),
  standingStops: new Set(['SPOT', 'MARGIN', 'FUTURES']),
  // On spot both halves of an OCO exist only as attachments of an entry order.
  restingTargets: new Map([['FUTURES', 'all']]),
  marketTypes: ['spot', 'linear'],
  // "Set Price Limit Behaviour" (docs/v5/account/set-price-limit): 1 + x of the index or mark price. Up to 1 + y it depends on a premium.
  priceBand: ({ info }) =>
    oneSidedBand((info as { riskParameters?: RiskParameters }).riskParameters?.priceLimitRatioX),
  // "Spot Trading: Fees Explained" (help center): "based on the purchased cryptocurrency". The same on margin.
  feesIn: 'base',
  // "Get Instruments Info" (docs/v5/market/instrument): a tenth of `maxOrderQty` on some contracts.
  mostAtMarket({ info }) {
    const { lotSizeFilter: most } = info as { lotSizeFilter?: LotSizeFilter };
    return most?.maxMktOrderQty ?? most?.maxMarketOrderQty;
  },
  receiveWindowMs,
  sharedWallet: new Set(['SPOT', 'MARGIN']),
  // The margin mode counts for all positions of an account.
  isPreparedEachTime: true,

  prepareClient(client) {
    client.options.recvWindow = receiveWindowMs;
  },

  assumedOptions: { enableUnifiedMargin: false, enableUnifiedAccount: true },

  async objection(client) {
    const [hasUnifiedMargin, isUnified] = (await client.isUnifiedEnabled()) as [boolean, boolean];
    if (hasUnifiedMargin || isUnified) return null;
    return 'signals are executed on unified accounts of bybit only; upgrade the account to a unified trading account';
  },

  // Each symbol has its mode. "If symbol passed, it returns data regardless of having position or not" (docs/v5/position).
  async isHedged(client, symbol) {
    const asked = { category: 'linear', symbol: client.market(symbol).id };
    const { result } = (await client.privateGetV5PositionList(asked)) as PositionsAnswer;
    return (result?.list ?? []).some(({ positionIdx }) => Number(positionIdx) !== 0);
  },

  orderParams: ({ account, clientOrderId, side, stopPrice, reduces }, isHedged) => ({
    clientOrderId,
    // The order that it becomes takes its money when it is placed ("tpslOrder"), not when its price is reached.
    ...(stopPrice && account !== 'FUTURES' && { stopLossPrice: String(stopPrice) }),
    ...(stopPrice &&
      account === 'FUTURES' && {
        triggerPrice: String(stopPrice),
        triggerDirection: side === 'buy' ? 'ascending' : 'descending',
      }),
    // 0: one-way mode; in hedge mode 1 is the long and 2 the short.
    ...(account === 'FUTURES' && {
      positionIdx: isHedged ? ((side === 'buy') === reduces ? 2 : 1) : 0,
      reduceOnly: reduces,
    }),
    // A sale that only reduces borrows nothing, so that it never opens a short.
    ...(account === 'MARGIN' && { isLeverage: reduces && side === 'sell' ? 0 : 1 }),
  }),

  findOrder: findBybitOrder,

  async cancelOrder(client, ref) {
    const found = await findBybitOrder(client, ref);
    if (found?.status !== 'open') return found ?? undefined;
    const { stopOrderType } = found.info as { stopOrderType?: string };
    const isStop = ref.account !== 'FUTURES' && stopOrderType === 'tpslOrder';
    return client.cancelOrder(found.id!, ref.symbol, isStop ? { orderFilter: 'tpslOrder' } : {});
  },

  openOrders: openBybitOrders,

  reasonOf(order) {
    const { cancelType = '', rejectReason = '' } = order.info as {
      cancelType?: string;
      rejectReason?: string;
    };
    if (!byRequest.has(cancelType)) return cancelType;
    return noReasons.has(rejectReason) ? undefined : rejectReason;
  },

  waitsForWrongSide: isPassedStop,

  tradesOf: (client, { id, timestamp }, { symbol }) =>
    bybitTrades(client, { symbol, sinceMs: timestamp ?? 0, params: { orderId: id } }),

  async tradesSince(client, { symbol }, sinceMs) {
    const trades = await bybitTrades(client, { symbol, sinceMs });
    return { trades, forced: forcedOrders(trades, bybitClosedBy) };
  },

  accountParams: (account) => inWallet[account],

  // ccxt gives tickers of Bybit no time: the answer has one for all.
  async lastPrices(client, symbols, account) {
    const ids = new Map(symbols.map((symbol) => [client.market(symbol).id!, symbol]));
    const category = account === 'FUTURES' ? 'linear' : 'spot';
    const only = ids.size === 1 ? { symbol: [...ids.keys()][0] } : {};
    const answer = (await client.publicGetV5MarketTickers({ category, ...only })) as TickersAnswer;
    return (answer.result?.list ?? []).flatMap(
      ({ symbol, lastPrice: last, bid1Price: bid, ask1Price: ask }) => {
        const name = ids.get(symbol);
        return name === undefined ? [] : [{ symbol: name, last, bid, ask, at: Number(answer.time) }];
      },
    );
  },

  preparePosition: prepareBybit,
};

/** Orders that a user has cancelled, by `cancelType` and `rejectReason` (docs/v5/enum). Spot has no `cancelType`. */
const byRequest = new Set(['', 'UNKNOWN', 'CancelByUser']);
const noReasons = new Set(['', 'EC_NoError', 'EC_PerCancelRequest']);

/** On contracts, and on spot. */
interface LotSizeFilter {
  maxMktOrderQty?: string;
  maxMarketOrderQty?: string;
}

interface RiskParameters {
  priceLimitRatioX?: string;
}

interface PositionsAnswer {
  result?: { list?: { positionIdx?: unknown }[] };
}

interface TickersAnswer {
  result?: { list?: { symbol: string; lastPrice: string; bid1Price?: string; ask1Price?: string }[] };
  time: string | number;
}

/**
 * Bybit reads the direction of a stop order on spot from the last price at its creation: one whose price was passed
 * already waits until the price comes back.
 */
function isPassedStop(order: Order): boolean {
  const { basePrice = '', triggerPrice = '' } = order.info as { basePrice?: string; triggerPrice?: string };
  if (!isWaitingStop(order) || basePrice === '' || triggerPrice === '') return false;
  const compared = readDecimal(basePrice).compare(readDecimal(triggerPrice));
  return order.side === 'sell' ? compared <= 0 : compared >= 0;
}
