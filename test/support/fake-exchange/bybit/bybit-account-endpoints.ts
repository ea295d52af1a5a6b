import { Decimal } from '../../../../compute/model/decimal.js';
import { absolute } from '../book/account-funds.js';
import type { BookEntry } from '../book/book-entry.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { initialMargin, maintenanceRate, marginAsset } from '../book/futures-funds.js';
import type { BookAccount } from '../book/matching-engine.js';
import { uidOf } from '../key-rights.js';
import { positionIdxOf } from './bybit-rows.js';
import { required, type Endpoint, type RestCall } from '../rest/rest-call.js';

const zero = Decimal.zero;

const accountOf = ({ engine, apiKey }: RestCall): BookAccount => engine.accounts.get(apiKey)!;

/** Wallet, positions and settings of a unified account. */
export const bybitAccountEndpoints: Record<string, Endpoint> = {
  'GET /v5/user/query-api': (call) => {
    const { mayTrade = true, mayTradeFutures = true } = accountOf(call).setup;
    const { mayWithdraw = false, isUnified = false } = accountOf(call).setup;
    return {
      readOnly: mayTrade ? 0 : 1,
      permissions: {
        ContractTrade: mayTradeFutures ? ['Order', 'Position'] : [],
        Spot: mayTrade ? ['SpotTrade'] : [],
        Wallet: mayWithdraw ? ['AccountTransfer', 'Withdraw'] : [],
      },
      userID: uidOf(accountOf(call).setup),
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
    return { reasons: [] };
  },

  'GET /v5/account/wallet-balance': (call) => ({
    list: [{ accountType: 'UNIFIED', coin: coinsOf(call) }],
  }),

  'GET /v5/account/transaction-log': (call) => {
    const { params } = call;
    const [from, until] = [Number(params.get('startTime')), Number(params.get('endTime'))];
    if (until - from > weekMs) throw new ExchangeRefusal(10001, 'The time range is longer than 7 days');
    const rows = call.engine.entries
      .filter(({ account, time }) => account === call.apiKey && time >= from && time <= until)
      .map(logRow)
      .filter(({ type }) => !params.has('type') || type === params.get('type'));
    const first = Number(params.get('cursor') ?? 0);
    const next = first + Math.min(50, Number(params.get('limit') ?? 20));
    return { list: rows.slice(first, next), nextPageCursor: next < rows.length ? String(next) : '' };
  },

  'GET /v5/position/list': (call) => ({
    category: 'linear',
    nextPageCursor: '',
    list: positionsOf(call),
  }),

  'POST /v5/position/set-leverage': (call) => {
    const symbol = required(call, 'symbol');
    const leverage = Number(required(call, 'buyLeverage'));
    call.engine.pairOf(symbol);
    if (!(leverage >= 1 && leverage <= 100)) throw new ExchangeRefusal(110013, 'cannot set leverage');
    if (
      accountOf(call)
        .futures.ofSymbol(symbol)
        .every((each) => each.leverage === leverage)
    )
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

const weekMs = 7 * 86_400_000;

function logRow({ id, type, kind, asset, amount, symbol, basis, price, time }: BookEntry) {
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
    tradePrice: String(price),
    funding: type === 'funding' ? String(amount) : '',
    fee: '0',
    cashFlow: type === 'funding' ? '0' : String(amount),
    change: String(amount),
  };
}

function coinsOf(call: RestCall): object[] {
  const { spot, futures } = accountOf(call);
  const { engine, apiKey } = call;
  const open = [...engine.openOrders(apiKey, 'spot'), ...engine.openOrders(apiKey, 'margin')];
  const locked = spot.locked(open);
  const orderMargin = futures.orderMargins(engine.openOrders(apiKey, 'futures'));
  return [...new Set([...spot.totals.keys(), ...locked.keys()])].map((coin) => {
    const total = spot.totals.get(coin) ?? zero;
    const isMargin = coin === marginAsset;
    const borrowed = String(total.sign < 0 ? zero.minus(total) : zero);
    return {
      coin,
      // Since manual loans: what is owed is told apart.
      walletBalance: String(total.sign < 0 ? zero : total),
      borrowAmount: borrowed,
      spotBorrow: borrowed,
      locked: String(locked.get(coin) ?? zero),
      totalOrderIM: String(isMargin ? orderMargin : zero),
      totalPositionIM: String(isMargin ? futures.positionMargin() : zero),
      accruedInterest: '0',
      // Deprecated for unified accounts.
      availableToWithdraw: '0',
      availableToBorrow: '',
      bonus: '0',
      unrealisedPnl: String(isMargin ? unrealisedOf(futures) : zero),
    };
  });
}

const unrealisedOf = (futures: BookAccount['futures']): Decimal =>
  Decimal.sum(futures.positions.map((each) => futures.unrealized(each)));

function positionsOf(call: RestCall): object[] {
  const { futures } = accountOf(call);
  // "If symbol passed, it returns data regardless of having position or not."
  const asked = call.params.get('symbol');
  const positions =
    asked === null
      ? futures.positions.filter(({ quantity }) => quantity.sign !== 0)
      : futures.ofSymbol(asked);
  return positions.map((position) => {
    const { symbol, positionSide, quantity, entryPrice, leverage, updateTime } = position;
    const price = call.engine.priceOf(symbol);
    const liquidation = futures.liquidationPrice(position);
    const value = absolute(quantity).times(price);
    return {
      ...{
        symbol,
        positionIdx: positionIdxOf(positionSide),
        tradeMode: 0,
        positionStatus: 'Normal',
        tpslMode: 'Full',
      },
      side: quantity.sign === 0 ? '' : quantity.sign > 0 ? 'Buy' : 'Sell',
      size: String(absolute(quantity)),
      avgPrice: String(entryPrice),
      markPrice: String(price),
      leverage: String(leverage),
      liqPrice: liquidation === null ? '' : String(liquidation),
      bustPrice: '',
      positionValue: String(value),
      positionIM: String(initialMargin(position, quantity, price)),
      positionMM: String(value.times(maintenanceRate)),
      unrealisedPnl: String(futures.unrealized(position)),
      createdTime: String(updateTime),
      updatedTime: String(updateTime),
    };
  });
}
