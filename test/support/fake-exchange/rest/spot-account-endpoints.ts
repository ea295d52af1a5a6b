import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder } from '../book/book-order.js';
import type { SpotFunds } from '../book/spot-funds.js';
import { uidOf } from '../key-rights.js';
import { eightPlaces, wholeAmount } from './order-fields.js';
import type { Endpoint, RestCall } from './rest-call.js';

/** Free and locked amounts of a spot or margin account, by asset. */
function balancesOf(
  funds: SpotFunds,
  open: readonly BookOrder[],
): { asset: string; free: Decimal; locked: Decimal }[] {
  const locked = funds.locked(open);
  return [...new Set([...funds.totals.keys(), ...locked.keys()])].map((asset) => {
    const held = locked.get(asset) ?? Decimal.zero;
    return { asset, free: (funds.totals.get(asset) ?? Decimal.zero).minus(held), locked: held };
  });
}

const accountOf = ({ engine, apiKey }: RestCall) => engine.accounts.get(apiKey)!;

const clamped = (value: Decimal): Decimal => (value.sign < 0 ? Decimal.zero : value);

/** Balances of spot and cross margin accounts, and what a key may do. */
export const spotAccountEndpoints: Record<string, Endpoint> = {
  'GET /api/v3/account': (call) => ({
    makerCommission: 10,
    takerCommission: 10,
    buyerCommission: 0,
    sellerCommission: 0,
    canTrade: true,
    canWithdraw: true,
    canDeposit: true,
    updateTime: Math.floor(call.nowMs),
    accountType: 'SPOT',
    balances: balancesOf(accountOf(call).spot, call.engine.openOrders(call.apiKey, 'spot')).map(
      ({ asset, free, locked }) => ({ asset, free: wholeAmount(free), locked: wholeAmount(locked) }),
    ),
    permissions: ['SPOT'],
    uid: uidOf(accountOf(call).setup),
  }),

  'GET /sapi/v1/margin/account': (call) => ({
    tradeEnabled: true,
    transferEnabled: true,
    borrowEnabled: true,
    marginLevel: '999.00000000',
    userAssets: balancesOf(accountOf(call).margin, call.engine.openOrders(call.apiKey, 'margin')).map(
      ({ asset, free, locked }) => {
        const borrowed = free.sign < 0 ? Decimal.zero.minus(free) : Decimal.zero;
        return {
          asset,
          borrowed: eightPlaces(borrowed),
          free: eightPlaces(clamped(free)),
          interest: '0.00000000',
          locked: eightPlaces(locked),
          netAsset: eightPlaces(free.plus(locked)),
        };
      },
    ),
  }),

  'GET /sapi/v1/margin/isolated/account': (call) => ({
    assets: [...accountOf(call).isolated].map(([symbol, funds]) => {
      const open = call.engine
        .openOrders(call.apiKey, 'isolated')
        .filter(({ request }) => request.symbol === symbol);
      const rows = new Map(balancesOf(funds, open).map((each) => [each.asset, each]));
      const { base, quote } = call.engine.pairOf(symbol);
      const assetOf = (asset: string) => {
        const { free, locked } = rows.get(asset) ?? { free: Decimal.zero, locked: Decimal.zero };
        return {
          asset,
          borrowEnabled: true,
          borrowed: eightPlaces(free.sign < 0 ? Decimal.zero.minus(free) : Decimal.zero),
          free: eightPlaces(clamped(free)),
          interest: '0.00000000',
          locked: eightPlaces(locked),
          netAsset: eightPlaces(free.plus(locked)),
        };
      };
      return {
        ...{ symbol, isolatedCreated: true, enabled: true, tradeEnabled: true },
        ...{ baseAsset: assetOf(base), quoteAsset: assetOf(quote), liquidatePrice: '0.00' },
      };
    }),
  }),

  'GET /sapi/v1/account/apiRestrictions': (call) => {
    const {
      mayTrade = true,
      mayWithdraw = false,
      mayTradeMargin = true,
      mayTradeFutures = true,
      isSilent = false,
      isPortfolioMargin = false,
    } = accountOf(call).setup;
    return {
      ipRestrict: false,
      createTime: 1_698_645_219_000,
      enableReading: true,
      ...(isSilent ? {} : { enableWithdrawals: mayWithdraw }),
      enableInternalTransfer: false,
      enableMargin: mayTradeMargin,
      enableFutures: mayTradeFutures,
      permitsUniversalTransfer: false,
      enableVanillaOptions: false,
      enablePortfolioMarginTrading: isPortfolioMargin,
      enableSpotAndMarginTrading: mayTrade,
    };
  },

  'GET /sapi/v1/capital/config/getall': () => [],
  'GET /sapi/v1/margin/allAssets': () => [],
  'GET /sapi/v1/margin/isolated/allPairs': () => [],
  'GET /sapi/v1/margin/allPairs': ({ engine }) =>
    [...engine.pairs.values()].map(({ base, quote }, id) => ({
      ...{ id, symbol: base + quote, base, quote },
      ...{ isMarginTrade: true, isBuyAllowed: true, isSellAllowed: true },
    })),
};
