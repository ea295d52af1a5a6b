import { Decimal } from '../../../../compute/model/decimal.js';
import { absolute } from '../book/account-funds.js';
import type { BookEntry } from '../book/book-entry.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { initialMargin, maintenanceRate, marginAsset } from '../book/futures-funds.js';
import { uidOf } from '../key-rights.js';
import { cursorPage, positionIdxOf } from './bybit-rows.js';
import { accountOf, entriesOf, numberIn, required, type Endpoint, type RestCall } from '../rest/rest-call.js';

const zero = Decimal.zero;

/** Wallet, positions and settings of a unified account. */
export const bybitAccountEndpoints: Record<string, Endpoint> = {
  'GET /v5/user/query-api': (call) => {
    const { setup } = accountOf(call);
    const { mayTrade = true, mayTradeSpot = true, mayTradeFutures = true } = setup;
    const { mayWithdraw = false, isUnified = false } = setup;
    return {
      readOnly: mayTrade ? 0 : 1,
      permissions: {
        ContractTrade: mayTradeFutures ? ['Order', 'Position'] : [],
        Spot: mayTrade && mayTradeSpot ? ['SpotTrade'] : [],
        Wallet: mayWithdraw ? ['AccountTransfer', 'Withdraw'] : [],
      },
      userID: uidOf(setup),
      unified: 0,
      uta: isUnified ? 1 : 0,
    };
  },

  'GET /v5/account/info': (call) => ({
    marginMode: accountOf(call).futures.isIsolated ? 'ISOLATED_MARGIN' : 'REGULAR_MARGIN',
    unifiedMarginStatus: accountOf(call).setup.isUnified ? 6 : 1,
    updatedTime: '1697078946000',
  }),

  'POST /v5/account/set-margin-mode': (call) => {
    const isIsolated = required(call, 'setMarginMode') === 'ISOLATED_MARGIN';
    call.apply({ type: 'margin mode', apiKey: call.apiKey, isIsolated });
    return {};
  },

  'GET /v5/account/wallet-balance': (call) => ({
    list: [{ accountType: 'UNIFIED', coin: coinsOf(call) }],
  }),

  'GET /v5/account/transaction-log': (call) => {
    const type = call.params.get('type');
    const [from, until] = [numberIn(call, 'startTime', 0), numberIn(call, 'endTime', 0)];
    if (until - from > weekMs) throw new ExchangeRefusal(10001, 'The time range is longer than 7 days');
    const rows = entriesOf(call, null, from, until)
      .map(logRow)
      .filter((row) => type === null || row.type === type);
    return cursorPage(call, rows, { usual: 20, most: 50 });
  },

  'GET /v5/position/list': (call) => {
    const category = required(call, 'category');
    const [settleCoin, symbol] = [call.params.get('settleCoin'), call.params.get('symbol')];
    if (category === 'linear' && !settleCoin && !symbol) throw new ExchangeRefusal(10001, 'params error');
    const isOwn = category === 'linear' && (symbol !== null || settleCoin === 'USDT');
    const { otherPosition } = accountOf(call).setup;
    const others =
      otherPosition === (settleCoin ?? category) ? [{ symbol: 'OTHER', side: 'Buy', size: '1' }] : [];
    return { category, nextPageCursor: '', list: isOwn ? positionsOf(call) : others };
  },

  'POST /v5/position/set-leverage': (call) => {
    const symbol = required(call, 'symbol');
    const leverage = Number(required(call, 'buyLeverage'));
    call.engine.pairOf(symbol);
    if (!(leverage >= 1 && leverage <= 100)) throw new ExchangeRefusal(110013, 'cannot set leverage');
    const positions = accountOf(call).futures.ofSymbol(symbol);
    if (positions.every((each) => each.leverage === leverage))
      throw new ExchangeRefusal(110043, 'leverage not modified');
    call.apply({ type: 'leverage', apiKey: call.apiKey, symbol, leverage });
    return {};
  },

  'GET /v5/spot-margin-trade/state': (call) => {
    const { setup, spotLeverage } = accountOf(call);
    const isOn = setup.mayTradeMargin === true;
    return { spotLeverage: isOn ? String(spotLeverage) : '', spotMarginMode: isOn ? '1' : '0' };
  },

  'POST /v5/spot-margin-trade/set-leverage': (call) => {
    const leverage = Number(required(call, 'leverage'));
    if (!(leverage >= 2 && leverage <= 10))
      throw new ExchangeRefusal(176034, 'The leverage ratio is out of range');
    call.apply({ type: 'spot leverage', apiKey: call.apiKey, leverage });
    return {};
  },
};

/** The longest time that a list spans. */
export const weekMs = 7 * 86_400_000;

function logRow({ id, type, kind, asset, amount, symbol, basis, time }: BookEntry) {
  const isIn = amount.sign >= 0;
  return {
    id: `${kind}_log_${id}`,
    symbol: symbol ?? '',
    category: symbol === null ? '' : 'linear',
    side: 'None',
    transactionTime: String(time),
    type: {
      transfer: isIn ? 'TRANSFER_IN' : 'TRANSFER_OUT',
      funding: 'SETTLEMENT',
      interest: 'INTEREST',
    }[type],
    qty: String(basis),
    size: type === 'funding' ? String(basis) : '0',
    currency: asset,
    funding: type === 'funding' ? String(amount) : '',
    fee: '0',
    change: String(amount),
  };
}

function coinsOf(call: RestCall): object[] {
  const { spot, futures } = accountOf(call);
  const { engine, apiKey } = call;
  const open = [...engine.openOrders(apiKey, 'spot'), ...engine.openOrders(apiKey, 'margin')];
  const orderMargin = futures.orderMargins(engine.openOrders(apiKey, 'futures'));
  return spot.balances(open).map(({ asset: coin, total, held }) => {
    const isMargin = coin === marginAsset;
    const borrowed = String(total.sign < 0 ? total.negated() : zero);
    return {
      coin,
      // Since manual loans: what is owed is told apart.
      walletBalance: String(total.sign < 0 ? zero : total),
      borrowAmount: borrowed,
      spotBorrow: borrowed,
      locked: String(held),
      totalOrderIM: String(isMargin ? orderMargin : zero),
      totalPositionIM: String(isMargin ? futures.positionMargin() : zero),
      accruedInterest: '0',
      // Deprecated for unified accounts.
      availableToWithdraw: '0',
      unrealisedPnl: String(isMargin ? futures.gains() : zero),
    };
  });
}

function positionsOf(call: RestCall): object[] {
  const { futures } = accountOf(call);
  // "If symbol passed, it returns data regardless of having position or not."
  const asked = call.params.get('symbol');
  const positions = asked === null ? futures.held : futures.ofSymbol(asked);
  return positions.map((position) => {
    const { symbol, positionSide, quantity, entryPrice, leverage, updateTime } = position;
    const price = call.engine.priceOf(symbol);
    const liquidation = futures.liquidationPrice(position);
    const value = absolute(quantity).times(price);
    return {
      ...{ symbol, positionIdx: positionIdxOf(positionSide), tradeMode: 0 },
      side: quantity.sign === 0 ? '' : quantity.sign > 0 ? 'Buy' : 'Sell',
      size: String(absolute(quantity)),
      avgPrice: String(entryPrice),
      markPrice: String(price),
      leverage: String(leverage),
      liqPrice: liquidation === null ? '' : String(liquidation),
      positionValue: String(value),
      positionIM: String(initialMargin(position, quantity, price)),
      positionMM: String(value.times(maintenanceRate)),
      unrealisedPnl: String(futures.unrealized(position)),
      createdTime: String(updateTime),
      updatedTime: String(updateTime),
    };
  });
}
