import { Decimal } from '../../../../compute/model/decimal.js';
import { absolute } from '../book/account-funds.js';
import type { BookEntry } from '../book/book-entry.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { Balance } from '../book/spot-funds.js';
import { accountOf, entriesOf, numberIn, required, type Endpoint, type RestCall } from '../rest/rest-call.js';
import { pageOf } from './kucoin-orders.js';
import { bookSymbolOf, contractsIn, spotIdOf } from './kucoin-symbols.js';

const zero = Decimal.zero;
const dayMs = 86_400_000;

/** Margin with what is owed, and what moved the wallets of margin and futures beside trades. */
export const kucoinLedgerEndpoints: Record<string, Endpoint> = {
  'GET /api/v3/margin/accounts': (call) => {
    const { margin } = accountOf(call);
    const rows = margin.balances(call.engine.openOrders(call.apiKey, 'margin')).map(marginRow);
    return { accounts: isAsked(call, 'MARGIN') ? rows : [] };
  },

  'GET /api/v3/isolated/accounts': (call) => {
    const assets = [...accountOf(call).isolated].map(([symbol, funds]) => {
      const pair = call.engine.pairOf(symbol);
      const open = call.engine.openOrders(call.apiKey, 'isolated', symbol);
      const [baseAsset, quoteAsset] = [pair.base, pair.quote].map((asset) =>
        marginRow(funds.balanceOf(asset, open)),
      );
      return { symbol: spotIdOf(pair), status: 'EFFECTIVE', baseAsset, quoteAsset };
    });
    return { assets: isAsked(call, 'ISOLATED') ? assets : [] };
  },

  'GET /api/v1/isolated/symbols': ({ engine }) =>
    [...engine.pairs.values()].map((pair) => ({
      ...{ symbol: spotIdOf(pair), baseCurrency: pair.base, quoteCurrency: pair.quote },
      ...{ maxLeverage: 10, flDebtRatio: '0.97' },
    })),

  'POST /api/v3/position/update-user-leverage': (call) => {
    const leverage = Number(required(call, 'leverage'));
    if (!(leverage > 1 && leverage <= 10)) throw new ExchangeRefusal(130203, 'The leverage is invalid.');
    const { isolated } = accountOf(call);
    const isIsolated = required(call, 'isIsolated') === 'true';
    if (isIsolated && !isolated.has(bookSymbolOf(call, required(call, 'symbol'))))
      throw new ExchangeRefusal(130303, 'Isolated margin account does not exist.');
    return null;
  },

  'GET /api/v1/transaction-history': (call) => {
    const rows = entriesOf(call, 'futures', ...rangeOf(call, 'At')).filter(({ type, amount }) => {
      const name = amount.sign < 0 ? 'TransferOut' : 'TransferIn';
      return type === 'transfer' && name === call.params.get('type');
    });
    return offsetPage(call, rows, ({ id, amount, asset, time }) => ({
      ...{ time, type: amount.sign < 0 ? 'TransferOut' : 'TransferIn', fee: 0, status: 'Completed' },
      ...{ amount: Number(String(amount)), remark: '', offset: id, currency: asset },
    }));
  },

  'GET /api/v1/funding-history': (call) => {
    const symbol = bookSymbolOf(call, required(call, 'symbol'));
    const rows = entriesOf(call, 'futures', ...rangeOf(call, 'At')).filter((each) => each.symbol === symbol);
    return offsetPage(call, rows, ({ id, basis, price, amount, asset, time }) => ({
      ...{ id, symbol: call.params.get('symbol'), timePoint: time, fundingRate: 0.0001 },
      markPrice: Number(String(price)),
      positionQty: contractsIn(basis, call.engine.pairOf(symbol)),
      positionCost: Number(String(basis.times(price))),
      ...{ funding: Number(String(amount)), settleCurrency: asset },
    }));
  },

  'GET /api/v3/margin/interest': (call) => {
    const isIsolated = call.params.get('isIsolated') === 'true';
    const symbol = isIsolated ? bookSymbolOf(call, required(call, 'symbol')) : null;
    const rows = entriesOf(call, isIsolated ? 'isolated' : 'margin', ...rangeOf(call, 'Time')).filter(
      (entry) => entry.type === 'interest' && entry.symbol === symbol,
    );
    if (numberIn(call, 'pageSize', 50) > 50)
      throw new ExchangeRefusal(400100, 'pageSize: the value should be between 10 and 50');
    return pageOf(
      call,
      rows.map(({ asset, amount, time }) => ({
        ...{ currency: asset, createdTime: time, interestAmount: String(amount.negated()) },
      })),
    );
  },

  'GET /api/v3/hf/margin/account/ledgers': (call) => {
    const [from, until] = rangeOf(call, 'At');
    if (until - from > dayMs) throw new ExchangeRefusal(400100, 'The query scope cannot exceed 24 hours');
    const rows = entriesOf(call, 'margin', from, until).filter(({ type }) => type === 'transfer');
    return rows
      .filter(({ id }) => id > numberIn(call, 'lastId', 0))
      .slice(0, numberIn(call, 'limit', 100))
      .map(({ id, asset, amount, time }) => ({
        ...{ id, currency: asset, fee: '0', accountType: 'MARGIN_V2', bizType: 'TRANSFER' },
        amount: String(absolute(amount)),
        ...{ direction: amount.sign < 0 ? 'out' : 'in', createdAt: time },
      }));
  },
};

/** Whether a call asks for the accounts of the kind that the user has. */
function isAsked(call: RestCall, name: 'MARGIN' | 'ISOLATED'): boolean {
  const queryType = call.params.get('queryType') ?? name;
  const isFast = accountOf(call).setup.isHighFrequency !== false;
  return queryType === 'ALL' || queryType === (isFast ? `${name}_V2` : name);
}

function marginRow({ asset, total, held }: Balance) {
  const [owned, owed] = total.sign < 0 ? [zero, total.negated()] : [total, zero];
  const free = owned.minus(held);
  return {
    ...{ currency: asset, total: String(owned), hold: String(held) },
    available: String(free.sign < 0 ? zero : free),
    ...{ liability: String(owed), liabilityPrincipal: String(owed), liabilityInterest: '0' },
  };
}

const rangeOf = (call: RestCall, suffix: 'At' | 'Time') =>
  [numberIn(call, `start${suffix}`, 0), numberIn(call, `end${suffix}`, Infinity)] as const;

/** A page that begins after a row. */
function offsetPage(
  call: RestCall,
  rows: readonly BookEntry[],
  rowOf: (entry: BookEntry) => object,
): { dataList: object[]; hasMore: boolean } {
  const left = rows.filter(({ id }) => id > numberIn(call, 'offset', 0));
  const page = left.slice(0, numberIn(call, 'maxCount', 50));
  return { dataList: page.map(rowOf), hasMore: page.length < left.length };
}
