import type { kucoin as Kucoin, Trade } from 'ccxt';
import type { ForcedClose } from '../../../../compute/signals/execution.js';
import { forcedOrders } from '../../forced-orders.js';
import { inAccount } from '../../in-account.js';
import { lastOfTickers } from '../../last-of-tickers.js';
import type { LastPrice, VenueTrading } from '../../venue-trading.js';
import { oneSidedBand } from '../../one-sided-band.js';
import { kucoinIsolated } from './kucoin-isolated.js';
import { crossRows } from './kucoin-margin.js';
import { findKucoinOrder, openKucoinOrders } from './kucoin-orders.js';
import { kucoinTradesSince, tradesOfKucoinOrder } from './kucoin-trades.js';

const receiveWindowMs = 5_000;

/** The account of a balance in ccxt's words. */
const inWallet = {
  SPOT: { type: 'spot' },
  MARGIN: { type: 'margin', marginMode: 'cross' },
  FUTURES: { type: 'swap', code: 'USDT' },
} as const;

/** KuCoin with a high-frequency account: spot, cross and isolated margin, and perpetual futures that settle in USDT. */
export const kucoinTrading: VenueTrading<Kucoin> = {
  accounts: new Set(['SPOT', 'MARGIN', 'FUTURES']),
  // On spot and margin KuCoin does not say which order a stop has become; see the README of `live`.
  standingStops: new Set(['FUTURES']),
  restingTargets: new Map([['FUTURES', 'all']]),
  marketTypes: ['spot', 'swap'],
  // "Price Protection Mechanism" of placing orders: the threshold is `priceLimitRate` of the symbol. Contracts tell none.
  priceBand: ({ info }) => oneSidedBand((info as { priceLimitRate?: string }).priceLimitRate),
  // "Place Order": the fees of an order are frozen beside its value; `feeCurrency` of "Get All Symbols".
  feesIn: 'quote',
  // "Get Symbol" of futures, in contracts.
  mostAtMarket: ({ info }) => (info as { marketMaxOrderQty?: string }).marketMaxOrderQty,
  receiveWindowMs,

  // KuCoin takes the time of the signature for at most five seconds; the window cannot be chosen.
  prepareClient: () => undefined,

  assumedOptions: { hf: true, uta: false },

  async objection(client) {
    if (await client.isUTAEnabled())
      return 'signals are not executed on unified accounts of kucoin; use a classic account, such as a sub-account';
    await client.loadMigrationStatus();
    return client.options.hf === true
      ? null
      : 'signals are executed on high-frequency accounts of kucoin; move the assets of the trading account there';
  },

  isHedged: async (client) => (await client.fetchPositionMode()).hedged === true,

  orderParams: ({ account, clientOrderId, stopPrice, reduces, leverage, marginMode }, hedged) => ({
    clientOid: clientOrderId,
    // ccxt marks orders on isolated margin for another endpoint. Without `isIsolated` KuCoin places them on cross margin.
    ...(account === 'MARGIN' && { marginMode: 'cross', isIsolated: marginMode === 'ISOLATED' }),
    // Missing funds are borrowed when a position opens, and repaid when it is reduced.
    ...(account === 'MARGIN' && { autoBorrow: !reduces, autoRepay: reduces }),
    ...(account === 'FUTURES' && { leverage, marginMode, hedged, reduceOnly: reduces }),
    ...(stopPrice && { triggerPrice: String(stopPrice), triggerPriceType: 'last' }),
  }),

  findOrder: findKucoinOrder,

  async cancelOrder(client, ref) {
    const found = await findKucoinOrder(client, ref);
    if (found?.status === 'open') await client.cancelOrder(found.id!, ref.symbol, inAccount(ref));
    return undefined;
  },

  openOrders: openKucoinOrders,

  tradesOf: (client, { id }, ref) => tradesOfKucoinOrder(client, ref, id!),

  async tradesSince(client, ref, sinceMs) {
    const trades = await kucoinTradesSince(client, ref, sinceMs);
    return { trades, forced: forcedOrders(trades, closedBy) };
  },

  isolated: kucoinIsolated,

  accountParams: (account) => inWallet[account],

  // ccxt asks for the margin account that orders of high frequency do not use.
  holdings: async (client, account) => (account === 'MARGIN' ? crossRows(client) : null),

  async lastPrices(client, symbols, account) {
    return account === 'FUTURES' ? lastOfContracts(client, symbols) : lastOfTickers(client, symbols);
  },

  async preparePosition(client, { account, leverage, marginMode }, symbol) {
    if (account === 'MARGIN') {
      // The leverage of cross margin is a setting of the whole account.
      if (marginMode === 'ISOLATED' && leverage > 1)
        await client.setLeverage(leverage, symbol, { marginMode: 'isolated' });
      return;
    }
    await client.setMarginMode(marginMode === 'CROSS' ? 'cross' : 'isolated', symbol);
    // Orders on isolated margin have a leverage of their own.
    if (marginMode === 'CROSS') await client.setLeverage(leverage, symbol);
  },
};

/** "trade, liquidation, ADL or settlement", https://www.kucoin.com/docs/rest/futures-trading/fills/get-filled-list. */
const forcedTypes: Readonly<Record<string, ForcedClose>> = {
  liquidation: 'liquidation',
  adl: 'deleveraging',
  settlement: 'settlement',
};

const closedBy = ({ info }: Trade): ForcedClose | undefined =>
  forcedTypes[(info as { tradeType?: string }).tradeType?.toLowerCase() ?? ''];

/** Tickers of contracts have the time of the last trade only. The server's time, requested before them, is used instead. */
async function lastOfContracts(client: Kucoin, symbols: readonly string[]): Promise<LastPrice[]> {
  const { data: at } = (await client.futuresPublicGetTimestamp()) as { data: number | string };
  const answer = (await client.futuresPublicGetAllTickers()) as ContractTickers;
  const ids = new Map(symbols.map((symbol) => [client.market(symbol).id!, symbol]));
  return (answer.data ?? []).flatMap(({ symbol, price, bestBidPrice: bid, bestAskPrice: ask }) => {
    const name = ids.get(symbol);
    return name === undefined ? [] : [{ symbol: name, last: price, bid, ask, at: Number(at) }];
  });
}

interface ContractTickers {
  data?: { symbol: string; price: string; bestBidPrice?: string; bestAskPrice?: string }[] | null;
}
