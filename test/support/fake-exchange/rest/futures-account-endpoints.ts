import { absolute } from '../book/account-funds.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { initialMargin, maintenanceRate, marginAsset, type FuturesFunds } from '../book/futures-funds.js';
import { eightPlaces } from './order-fields.js';
import { accountOf, required, type Endpoint, type RestCall } from './rest-call.js';

const both = (path: string, endpoint: Endpoint): Record<string, Endpoint> => ({
  [`GET /fapi/v2/${path}`]: endpoint,
  [`GET /fapi/v3/${path}`]: endpoint,
});

/** Balances, positions and settings of the futures account. */
export const futuresAccountEndpoints: Record<string, Endpoint> = {
  ...both('account', (call) => {
    const asset = assetOf(call);
    const { walletBalance: totalWalletBalance, availableBalance } = asset;
    return { totalWalletBalance, availableBalance, assets: [asset], positions: positionsOf(call) };
  }),
  ...both('balance', (call) => {
    const { walletBalance: balance, ...rest } = assetOf(call);
    return [{ balance, ...rest }];
  }),
  ...both('positionRisk', (call) => {
    const symbol = call.params.get('symbol');
    return positionsOf(call).filter((position) => symbol === null || position.symbol === symbol);
  }),
  'POST /fapi/v1/leverage': (call) => {
    const symbol = required(call, 'symbol');
    const leverage = Number(required(call, 'leverage'));
    call.engine.pairOf(symbol);
    if (!Number.isInteger(leverage) || leverage < 1 || leverage > 125)
      throw new ExchangeRefusal(-4028, `Leverage ${leverage} is not valid`);
    call.apply({ type: 'leverage', apiKey: call.apiKey, symbol, leverage });
    return { leverage, symbol };
  },
  'POST /fapi/v1/marginType': (call) => {
    const symbol = required(call, 'symbol');
    call.engine.pairOf(symbol);
    const isIsolated = required(call, 'marginType') === 'ISOLATED';
    call.apply({ type: 'margin type', apiKey: call.apiKey, symbol, isIsolated });
    return { code: 200, msg: 'success' };
  },
  'GET /fapi/v1/positionSide/dual': (call) => ({ dualSidePosition: fundsOf(call).isHedged }),
  'GET /fapi/v1/accountConfig': (call) => ({
    ...{ feeTier: 0, dualSidePosition: fundsOf(call).isHedged, multiAssetsMargin: false },
  }),
  'POST /fapi/v1/positionSide/dual': (call) => {
    if (call.params.get('dualSidePosition') === 'true')
      throw new ExchangeRefusal(-4067, 'Position side cannot be changed if there exists open orders.');
    throw new ExchangeRefusal(-4059, 'No need to change position side.');
  },
  'GET /fapi/v1/symbolConfig': (call) =>
    futuresSymbols(call).map((symbol) => {
      const [{ isIsolated, leverage }] = fundsOf(call).ofSymbol(symbol);
      const marginType = isIsolated ? 'ISOLATED' : 'CROSSED';
      return { symbol, marginType, leverage };
    }),
  'GET /fapi/v1/leverageBracket': (call) =>
    futuresSymbols(call).map((symbol) => {
      const range = { notionalFloor: 0, notionalCap: 1_000_000_000 };
      const maintMarginRatio = Number(String(maintenanceRate));
      return { symbol, brackets: [{ bracket: 1, initialLeverage: 125, ...range, maintMarginRatio }] };
    }),
};

const fundsOf = (call: RestCall): FuturesFunds => accountOf(call).futures;

const futuresSymbols = ({ engine }: RestCall): string[] =>
  [...engine.pairs].filter(([, { futures }]) => futures).map(([symbol]) => symbol);

function assetOf(call: RestCall) {
  const funds = fundsOf(call);
  const open = call.engine.openOrders(call.apiKey, 'futures');
  const equity = funds.wallet.plus(funds.gains());
  const available = funds.available(open);
  return {
    asset: marginAsset,
    walletBalance: eightPlaces(funds.wallet),
    unrealizedProfit: eightPlaces(funds.gains()),
    marginBalance: eightPlaces(equity),
    initialMargin: eightPlaces(equity.minus(available)),
    crossWalletBalance: eightPlaces(funds.wallet),
    crossUnPnl: eightPlaces(funds.gains()),
    availableBalance: eightPlaces(available.sign < 0 ? null : available),
    updateTime: Math.floor(call.nowMs),
  };
}

/** Positions; symbols without one are left out, as in version 3. */
function positionsOf(call: RestCall) {
  const funds = fundsOf(call);
  return funds.held.map((position) => {
    const { symbol, positionSide, quantity, entryPrice, isIsolated, leverage, updateTime } = position;
    const price = call.engine.priceOf(symbol);
    const margin = String(isIsolated ? position.isolatedWallet : 0);
    const profit = String(funds.unrealized(position));
    return {
      ...{ symbol, positionSide, marginAsset, updateTime, adl: 1 },
      positionAmt: String(quantity),
      entryPrice: String(entryPrice),
      markPrice: String(price),
      ...{ unRealizedProfit: profit, unrealizedProfit: profit },
      liquidationPrice: String(funds.liquidationPrice(position) ?? 0),
      ...{ isolatedMargin: margin, isolatedWallet: margin },
      notional: String(quantity.times(price)),
      leverage: String(leverage),
      marginType: isIsolated ? 'isolated' : 'cross',
      initialMargin: String(initialMargin(position, quantity, price)),
      maintMargin: String(absolute(quantity).times(price).times(maintenanceRate)),
    };
  });
}
