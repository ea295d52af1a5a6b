import type { Decimal } from '../../../../compute/model/decimal.js';
import type { Balance } from '../book/spot-funds.js';
import { uidOf } from '../key-rights.js';
import { eightPlaces, wholeAmount } from './order-fields.js';
import { accountOf, type Endpoint } from './rest-call.js';

const positive = (value: Decimal): string => eightPlaces(value.sign < 0 ? null : value);

/** An asset of a margin account; what is below 0 is borrowed. */
const marginRow = ({ asset, free, held, total }: Balance) => ({
  asset,
  borrowed: positive(free.negated()),
  free: positive(free),
  interest: '0.00000000',
  locked: eightPlaces(held),
  netAsset: eightPlaces(total),
});

/** Balances of spot and margin accounts, and what a key may do. */
export const spotAccountEndpoints: Record<string, Endpoint> = {
  'GET /api/v3/account': (call) => {
    const { spot, setup } = accountOf(call);
    const balances = spot.balances(call.engine.openOrders(call.apiKey, 'spot'));
    return {
      ...{ makerCommission: 10, takerCommission: 10, accountType: 'SPOT', permissions: ['SPOT'] },
      updateTime: Math.floor(call.nowMs),
      balances: balances.map(({ asset, free, held }) => ({
        ...{ asset, free: wholeAmount(free), locked: wholeAmount(held) },
      })),
      uid: uidOf(setup),
    };
  },

  'GET /sapi/v1/margin/account': (call) => ({
    userAssets: accountOf(call).margin.balances(call.engine.openOrders(call.apiKey, 'margin')).map(marginRow),
  }),

  'GET /sapi/v1/margin/isolated/account': (call) => ({
    assets: [...accountOf(call).isolated].map(([symbol, funds]) => {
      const open = call.engine.openOrders(call.apiKey, 'isolated', symbol);
      const { base, quote } = call.engine.pairOf(symbol);
      const [baseAsset, quoteAsset] = [base, quote].map((asset) => marginRow(funds.balanceOf(asset, open)));
      return { symbol, enabled: true, baseAsset, quoteAsset, liquidatePrice: '0.00' };
    }),
  }),

  'GET /sapi/v1/account/apiRestrictions': (call) => {
    const { mayTrade, mayTradeSpot = true, ...setup } = accountOf(call).setup;
    const { mayWithdraw, mayTradeMargin, mayTradeFutures } = setup;
    return {
      createTime: 1_698_645_219_000,
      ...(!setup.isSilent && { enableWithdrawals: mayWithdraw ?? false }),
      enableMargin: mayTradeMargin ?? true,
      enableFutures: (mayTrade ?? true) && (mayTradeFutures ?? true),
      enablePortfolioMarginTrading: setup.isPortfolioMargin ?? false,
      enableSpotAndMarginTrading: mayTradeSpot && (mayTrade ?? true),
    };
  },

  'GET /sapi/v1/capital/config/getall': () => [],
  'GET /sapi/v1/margin/allAssets': () => [],
  'GET /sapi/v1/margin/isolated/allPairs': () => [],
  'GET /sapi/v1/margin/allPairs': ({ engine }) =>
    [...engine.pairs.values()].map(({ base, quote }, id) => ({ id, symbol: base + quote, base, quote })),
};
