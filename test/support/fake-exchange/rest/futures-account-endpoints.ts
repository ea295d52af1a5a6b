import { Decimal } from '../../../../compute/model/decimal.js';
import { absolute } from '../book/account-funds.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { initialMargin, maintenanceRate, marginAsset, type FuturesFunds } from '../book/futures-funds.js';
import { fixedPlaces } from './order-fields.js';
import { required, type Endpoint, type RestCall } from './rest-call.js';

const both = (path: string, endpoint: Endpoint): Record<string, Endpoint> => ({
  [`GET /fapi/v2/${path}`]: endpoint,
  [`GET /fapi/v3/${path}`]: endpoint,
});

/** Balances, positions and settings of the futures account. */
export const futuresAccountEndpoints: Record<string, Endpoint> = {
  ...both('account', (call) => {
    const asset = assetOf(call);
    return {
      canTrade: true,
      totalWalletBalance: asset.walletBalance,
      totalUnrealizedProfit: asset.unrealizedProfit,
      totalMarginBalance: asset.marginBalance,
      availableBalance: asset.availableBalance,
      assets: [asset],
      positions: positionsOf(call),
    };
  }),
  ...both('balance', (call) => {
    const { asset, walletBalance: balance, ...rest } = assetOf(call);
    return [{ accountAlias: 'fake', asset, balance, ...rest }];
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
    return { leverage, maxNotionalValue: '1000000', symbol };
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
    ...{ feeTier: 0, canTrade: true, canDeposit: true, canWithdraw: true, tradeGroupId: -1, updateTime: 0 },
    ...{ dualSidePosition: fundsOf(call).isHedged, multiAssetsMargin: false },
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
      return { symbol, marginType, isAutoAddMargin: 'false', leverage, maxNotionalValue: '1000000' };
    }),
  'GET /fapi/v1/leverageBracket': (call) =>
    futuresSymbols(call).map((symbol) => ({
      symbol,
      brackets: [
        {
          bracket: 1,
          initialLeverage: 125,
          notionalCap: 1_000_000_000,
          notionalFloor: 0,
          maintMarginRatio: Number(String(maintenanceRate)),
          cum: 0,
        },
      ],
    })),
};

const fundsOf = ({ engine, apiKey }: RestCall): FuturesFunds => engine.accounts.get(apiKey)!.futures;

const futuresSymbols = ({ engine }: RestCall): string[] =>
  [...engine.pairs].filter(([, { futures }]) => futures).map(([symbol]) => symbol);

function assetOf(call: RestCall) {
  const funds = fundsOf(call);
  const open = call.engine.openOrders(call.apiKey, 'futures');
  const unrealized = Decimal.sum(funds.positions.map((each) => funds.unrealized(each)));
  const orders = open.reduce((sum, order) => sum.plus(funds.orderMargin(order)), Decimal.zero);
  const available = funds.available(open);
  const text = (value: Decimal) => fixedPlaces(value, 8);
  return {
    asset: marginAsset,
    walletBalance: text(funds.wallet),
    unrealizedProfit: text(unrealized),
    marginBalance: text(funds.wallet.plus(unrealized)),
    initialMargin: text(funds.wallet.plus(unrealized).minus(available)),
    openOrderInitialMargin: text(orders),
    crossWalletBalance: text(funds.wallet),
    crossUnPnl: text(unrealized),
    availableBalance: text(available.sign < 0 ? Decimal.zero : available),
    maxWithdrawAmount: text(available.sign < 0 ? Decimal.zero : available),
    marginAvailable: true,
    updateTime: Math.floor(call.nowMs),
  };
}

/** Positions; symbols without one are left out, as in version 3. */
function positionsOf(call: RestCall) {
  const funds = fundsOf(call);
  return funds.positions
    .filter(({ quantity }) => quantity.sign !== 0)
    .map((position) => {
      const { symbol, positionSide } = position;
      const price = call.engine.priceOf(symbol);
      const { quantity, entryPrice, isIsolated, isolatedWallet, leverage } = position;
      const margin = initialMargin(position, quantity, price);
      return {
        symbol,
        positionSide,
        positionAmt: String(quantity),
        entryPrice: String(entryPrice),
        breakEvenPrice: String(entryPrice),
        markPrice: String(price),
        unRealizedProfit: String(funds.unrealized(position)),
        unrealizedProfit: String(funds.unrealized(position)),
        liquidationPrice: String(funds.liquidationPrice(position) ?? 0),
        isolatedMargin: String(isIsolated ? isolatedWallet : 0),
        notional: String(quantity.times(price)),
        marginAsset,
        isolatedWallet: String(isIsolated ? isolatedWallet : 0),
        leverage: String(leverage),
        marginType: isIsolated ? 'isolated' : 'cross',
        initialMargin: String(margin),
        maintMargin: String(absolute(quantity).times(price).times(maintenanceRate)),
        positionInitialMargin: String(margin),
        openOrderInitialMargin: '0',
        adl: 1,
        bidNotional: '0',
        askNotional: '0',
        updateTime: position.updateTime,
      };
    });
}
