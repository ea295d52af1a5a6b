import type { binance as Binance, Trade } from 'ccxt';
import type { ForcedClose } from '../../../../compute/signals/execution.js';
import { inAccount } from '../../in-account.js';
import type { SymbolRef, TradesSince } from '../../venue-trading.js';

const pageSize = 1_000;
const dayMs = 86_400_000;
/** One answer with trades of futures covers at most this span. ccxt ends the span of a request that starts earlier. */
const futuresSpanMs = 7 * dayMs;
/** Older trades of futures are not listed. */
const futuresHistoryMs = 180 * dayMs;

type MarketRef = Omit<SymbolRef, 'clientOrderId'>;

/**
 * How the client order ids begin of orders by which Binance closes positions, "settlement order for delisting or delivery" among them:
 * "Event: Order Update" and "User's Force Orders", https://developers.binance.com/docs/derivatives/usds-margined-futures.
 */
const forcedIds: readonly (readonly [string, ForcedClose])[] = [
  ['autoclose', 'liquidation'],
  ['adl_autoclose', 'deleveraging'],
  ['settlement_autoclose', 'settlement'],
];

const forcedBy = (id: string): ForcedClose | undefined =>
  forcedIds.find(([beginning]) => id.startsWith(beginning))?.[1];

/** See `VenueTrading`. A trade may be listed twice. */
export async function binanceTradesSince(
  client: Binance,
  ref: MarketRef,
  sinceMs: number,
): Promise<TradesSince> {
  const trades: Trade[] = [];
  const isFutures = ref.account === 'FUTURES';
  let fromMs = isFutures ? Math.max(sinceMs, client.milliseconds() - futuresHistoryMs) : sinceMs;
  for (let isMore = true; isMore;) {
    const page = await client.fetchMyTrades(ref.symbol, fromMs, pageSize, inAccount(ref));
    trades.push(...page);
    const isFull = page.length === pageSize;
    // A page that is not full ends the list of its span, which on futures may end before now.
    isMore = isFull || (isFutures && fromMs + futuresSpanMs <= client.milliseconds());
    fromMs = isFull
      ? Math.max(fromMs + 1, ...page.map(({ timestamp }) => timestamp ?? 0))
      : fromMs + futuresSpanMs;
  }
  return {
    trades,
    forced: await (isFutures ? forcedOf(client, trades, ref) : liquidatedOrders(client, ref)),
  };
}

/**
 * The ids of the last orders by which Binance has closed positions on margin: "Get Force Liquidation Record",
 * https://developers.binance.com/docs/margin_trading/trade/Get-Force-Liquidation-Record.
 */
async function liquidatedOrders(
  client: Binance,
  { account, marginMode, symbol }: MarketRef,
): Promise<Map<string, ForcedClose>> {
  if (account !== 'MARGIN') return new Map();
  const isolated = marginMode === 'ISOLATED' ? { isolatedSymbol: client.market(symbol).id } : {};
  const answer = (await client.sapiGetMarginForceLiquidationRec({ size: 100, ...isolated })) as {
    rows?: { orderId: string | number }[];
  };
  return new Map((answer.rows ?? []).map(({ orderId }) => [String(orderId), 'liquidation']));
}

/** The orders of trades on futures by which Binance has closed a position. Orders are listed from an id on. */
async function forcedOf(
  client: Binance,
  trades: readonly Trade[],
  ref: MarketRef,
): Promise<Map<string, ForcedClose>> {
  const [seen, forced] = [new Set<string>(), new Map<string, ForcedClose>()];
  const wanted = trades.map(({ order }) => BigInt(order!)).sort((one, other) => (one < other ? -1 : 1));
  for (const wantedId of wanted) {
    if (seen.has(String(wantedId))) continue;
    const params = { ...inAccount(ref), orderId: String(wantedId) };
    for (const { id, clientOrderId } of await client.fetchOrders(ref.symbol, undefined, pageSize, params)) {
      seen.add(id!);
      const closedBy = forcedBy(clientOrderId!);
      if (closedBy) forced.set(id!, closedBy);
    }
  }
  return forced;
}
