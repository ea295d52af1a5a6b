import type { binance as Binance, Order } from 'ccxt';
import { AppError } from '../../../../compute/model/errors.js';
import { inAccount } from '../../in-account.js';
import type { SymbolRef, VenueTrading } from '../../venue-trading.js';
import { binanceIsolated } from './binance-isolated.js';
import { cancelledOrder, placeBinancePair, targetIdOf, tellingHalf, withWholePairs } from './binance-pair.js';
import { binancePriceBand } from './binance-price-band.js';
import { binanceTradesSince } from './binance-trades.js';

/** Whether an error is of the ccxt class of this name. ccxt's classes are loaded with the first client, so they are not imported here. */
const isCcxtError = (error: unknown, name: string): boolean =>
  error instanceof Error && error.constructor.name === name;

const pageSize = 1_000;
const receiveWindowMs = 5_000;
/** Up to so many markets are asked for their open orders one by one. */
const mostAlone = 13;

/** The account of a balance, and of open orders of all pairs, in ccxt's words. */
const inAllMarkets = {
  SPOT: { type: 'spot' },
  MARGIN: { type: 'margin', marginMode: 'cross' },
  FUTURES: { type: 'swap', subType: 'linear' },
} as const;

/** Binance: spot, cross and isolated margin, and perpetual futures that settle in USDT. */
export const binanceTrading: VenueTrading<Binance> = {
  accounts: new Set(['SPOT', 'MARGIN', 'FUTURES']),
  standingStops: new Set(['SPOT', 'MARGIN', 'FUTURES']),
  // On MARGIN an order list would need the endpoints of margin.
  restingTargets: new Map([
    ['SPOT', 'last'],
    ['FUTURES', 'all'],
  ]),
  marketTypes: ['spot', 'linear'],
  priceBand: binancePriceBand,
  // "Commission Rates" of the spot API: on a purchase from the base asset, unless it is paid with BNB.
  feesIn: 'base',
  receiveWindowMs,

  prepareClient(client) {
    client.options.recvWindow = receiveWindowMs;
    client.options.warnOnFetchOpenOrdersWithoutSymbol = false;
    const parse = client.parseBalanceCustom.bind(client);
    client.parseBalanceCustom = (answer: object, type?: string, marginMode?: string) =>
      parse(withList(answer), type, marginMode);
  },

  // "Futures Account Configuration" (weight 5; "Get Current Position Mode" has 30). The mode counts for every symbol.
  async isHedged(client) {
    const { dualSidePosition } = (await client.fapiPrivateGetAccountConfig()) as {
      dualSidePosition?: unknown;
    };
    return dualSidePosition === true;
  },

  orderParams: ({ account, marginMode, clientOrderId, stopPrice, reduces }, hedged) => ({
    newClientOrderId: clientOrderId,
    ...(stopPrice && { stopLossPrice: String(stopPrice) }),
    ...inAccount({ account, marginMode }),
    // With `hedged` ccxt sends the side of the position instead of `reduceOnly`, which "cannot be sent in Hedge Mode".
    ...(account === 'FUTURES' && { hedged, ...(reduces && { reduceOnly: true }) }),
    // Missing funds are borrowed when a position opens, and repaid when it is reduced.
    ...(account === 'MARGIN' && { sideEffectType: reduces ? 'AUTO_REPAY' : 'MARGIN_BUY' }),
  }),

  async findOrder(client, ref) {
    const { account, clientOrderId, symbol } = ref;
    try {
      const params = { ...inAccount(ref), origClientOrderId: clientOrderId };
      const found = await client.fetchOrder('', symbol, params);
      return account === 'SPOT' ? await tellingHalf(client, found, ref) : found;
    } catch (error) {
      if (account !== 'FUTURES' || !isCcxtError(error, 'OrderNotFound')) throw error;
      return findStop(client, { clientOrderId, symbol });
    }
  },

  async cancelOrder(client, ref) {
    const { account, clientOrderId, symbol } = ref;
    try {
      const params = { ...inAccount(ref), origClientOrderId: clientOrderId };
      return cancelledOrder(client, await client.cancelOrder('', symbol, params), clientOrderId);
    } catch (error) {
      if (account === 'MARGIN' || !isCcxtError(error, 'OrderNotFound')) throw error;
      // Of an order that is stop and target in one, the target may stand alone.
      if (account === 'SPOT') {
        const target = await client.cancelOrder('', symbol, { origClientOrderId: targetIdOf(clientOrderId) });
        return { ...target, clientOrderId };
      }
      return client.cancelOrder('', symbol, { clientAlgoId: clientOrderId, trigger: true });
    }
  },

  // "Cancel an Existing Order and Send a New Order" of the spot API. ccxt's `editOrder` reads prices as binary floats.
  async replaceOrder(
    client,
    { side, type, price, stopPrice, quantity, clientOrderId },
    { symbol, replaced },
  ) {
    const kind = type !== 'stop' ? type : price ? 'stop_loss_limit' : 'stop_loss';
    const { newOrderResponse } = (await client.privatePostOrderCancelReplace({
      symbol: client.market(symbol).id,
      side: side.toUpperCase(),
      type: kind.toUpperCase(),
      quantity: String(quantity),
      newClientOrderId: clientOrderId,
      newOrderRespType: 'RESULT',
      ...(price && {
        price: String(price),
        timeInForce: 'GTC',
      }),
      ...(stopPrice && { stopPrice: String(stopPrice) }),
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelRestrictions: 'ONLY_NEW',
      cancelOrigClientOrderId: replaced,
    })) as { newOrderResponse: object };
    return client.parseOrder(newOrderResponse, client.market(symbol));
  },

  placePair: placeBinancePair,

  // "Current open orders": the weight is 6 for a symbol and 80 for all on spot, 1 and 40 on futures. Stops on futures have a list of their own.
  async openOrders(client, account, symbols) {
    const asked = symbols && symbols.length <= mostAlone ? symbols : [undefined];
    const lists = account === 'FUTURES' ? [{}, { trigger: true }] : [{}];
    const pages = asked.flatMap((symbol) =>
      lists.map((list) =>
        client.fetchOpenOrders(symbol, undefined, undefined, { ...inAllMarkets[account], ...list }),
      ),
    );
    const orders = (await Promise.all(pages)).flat();
    return account === 'SPOT' ? withWholePairs(orders) : orders;
  },

  isolated: binanceIsolated,

  tradesOf: (client, { id }, ref) =>
    client.fetchMyTrades(ref.symbol, undefined, pageSize, { ...inAccount(ref), orderId: id }),

  tradesSince: binanceTradesSince,

  // "Position Information V3". ccxt asks for the leverage brackets of each account before.
  async positions(client) {
    const rows = withList((await client.fapiPrivateV3GetPositionRisk()) as object) as PositionRow[];
    return rows.map((info) => ({
      symbol: client.safeSymbol(info.symbol, undefined, undefined, 'swap'),
      contracts: info.positionAmt.replace('-', ''),
      side: info.positionAmt.startsWith('-') ? 'short' : 'long',
      entryPrice: info.entryPrice,
      liquidationPrice: Number(info.liquidationPrice) > 0 ? info.liquidationPrice : undefined,
      hedged: info.positionSide !== 'BOTH',
      info,
    }));
  },

  accountParams: (account) => inAllMarkets[account],

  async preparePosition(client, { account, leverage, marginMode }, symbol) {
    const mode = marginMode === 'CROSS' ? 'cross' : 'isolated';
    // How much may be borrowed on margin follows from what the account has.
    if (account === 'MARGIN') return;
    await client.setMarginMode(mode, symbol).catch((error: unknown) => {
      if (!isCcxtError(error, 'MarginModeAlreadySet')) throw error;
    });
    await client.setLeverage(leverage, symbol);
  },
};

interface PositionRow {
  symbol: string;
  positionAmt: string;
  entryPrice: string;
  liquidationPrice: string;
  positionSide: string;
}

/** Throws for an answer without a list: ccxt reads it as an account that has nothing. Answers of Binance have nothing else in common. */
function withList(answer: object): object {
  if (Array.isArray(answer) || Object.values(answer).some(Array.isArray)) return answer;
  throw new AppError('exchange_unavailable', 'the answer cannot be read: it lists no balances or positions');
}

/** A stop order on FUTURES is an order of its own kind, which makes a plain one when its price is reached. */
async function findStop(
  client: Binance,
  { clientOrderId, symbol }: Omit<SymbolRef, 'account'>,
): Promise<Order> {
  const stop = await client.fetchOrder('', symbol, { clientAlgoId: clientOrderId, trigger: true });
  const { actualOrderId = '' } = stop.info as { actualOrderId?: string | number };
  const id = String(actualOrderId);
  return id === '' || id === '0' ? stop : { ...(await client.fetchOrder(id, symbol)), clientOrderId };
}
