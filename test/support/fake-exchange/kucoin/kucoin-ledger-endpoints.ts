import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookEntry } from '../book/book-entry.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { required, type Endpoint, type RestCall } from '../rest/rest-call.js';
import { kucoinRowsOf } from './kucoin-account-endpoints.js';
import { bookSymbolOf, contractsIn, spotIdOf } from './kucoin-symbols.js';

const zero = Decimal.zero;
const dayMs = 86_400_000;

/** Cross margin with what is owed, and what moved the wallets of margin and futures beside trades. */
export const kucoinLedgerEndpoints: Record<string, Endpoint> = {
  'GET /api/v3/margin/accounts': (call) => ({
    accounts: isAsked(call, 'MARGIN')
      ? kucoinRowsOf(
          call.engine.accounts.get(call.apiKey)!.margin,
          call.engine.openOrders(call.apiKey, 'margin'),
        ).map(marginRow)
      : [],
  }),

  'GET /api/v3/isolated/accounts': (call) => ({
    assets: isAsked(call, 'ISOLATED')
      ? [...call.engine.accounts.get(call.apiKey)!.isolated].map(([symbol, funds]) => {
          const pair = call.engine.pairOf(symbol);
          const open = call.engine
            .openOrders(call.apiKey, 'isolated')
            .filter(({ request }) => request.symbol === symbol);
          const rows = new Map(kucoinRowsOf(funds, open).map((row) => [row.asset, row]));
          const rowOf = (asset: string) => marginRow(rows.get(asset) ?? { asset, total: zero, held: zero });
          const assets = { baseAsset: rowOf(pair.base), quoteAsset: rowOf(pair.quote) };
          return { symbol: spotIdOf(pair), status: 'EFFECTIVE', debtRatio: '0', ...assets };
        })
      : [],
  }),

  'GET /api/v1/isolated/symbols': ({ engine }) =>
    [...engine.pairs.values()].map((pair) => ({
      ...{ symbol: spotIdOf(pair), baseCurrency: pair.base, quoteCurrency: pair.quote },
      ...{ maxLeverage: 10, flDebtRatio: '0.97', tradeEnable: true },
    })),

  'POST /api/v3/position/update-user-leverage': (call) => {
    const leverage = Number(required(call, 'leverage'));
    if (!(leverage > 1 && leverage <= 10)) throw new ExchangeRefusal(130203, 'The leverage is invalid.');
    const { isolated } = call.engine.accounts.get(call.apiKey)!;
    if (
      required(call, 'isIsolated') === 'true' &&
      !isolated.has(bookSymbolOf(call, required(call, 'symbol')))
    )
      throw new ExchangeRefusal(130303, 'Isolated margin account does not exist.');
    return null;
  },

  'GET /api/v1/transaction-history': (call) => {
    const rows = entriesOf(call, 'futures', 'At').filter(({ type, amount }) => {
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
    const rows = entriesOf(call, 'futures', 'At').filter((each) => each.symbol === symbol);
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
    const rows = entriesOf(call, isIsolated ? 'isolated' : 'margin', 'Time').filter(
      (entry) => entry.type === 'interest' && entry.symbol === symbol,
    );
    const pageSize = Number(call.params.get('pageSize') ?? 50);
    if (pageSize > 50) throw new ExchangeRefusal(400100, 'pageSize: the value should be between 10 and 50');
    const currentPage = Number(call.params.get('currentPage') ?? 1);
    const items = rows.slice((currentPage - 1) * pageSize, currentPage * pageSize);
    return {
      ...{ timestamp: call.nowMs, currentPage, pageSize, totalNum: rows.length },
      items: items.map(({ asset, amount, time }) => ({
        ...{ currency: asset, dayRatio: '0.000296', createdTime: time },
        interestAmount: String(amount.negated()),
      })),
    };
  },

  'GET /api/v3/hf/margin/account/ledgers': (call) => {
    const [from, until] = rangeOf(call, 'At');
    if (until - from > dayMs) throw new ExchangeRefusal(400100, 'The query scope cannot exceed 24 hours');
    const rows = entriesOf(call, 'margin', 'At').filter(({ type }) => type === 'transfer');
    const last = Number(call.params.get('lastId') ?? 0);
    return rows
      .filter(({ id }) => id > last)
      .slice(0, Number(call.params.get('limit') ?? 100))
      .map(({ id, asset, amount, time }) => ({
        ...{ id, currency: asset, fee: '0', accountType: 'MARGIN_V2', bizType: 'TRANSFER' },
        amount: String(amount.sign < 0 ? amount.negated() : amount),
        ...{ direction: amount.sign < 0 ? 'out' : 'in', createdAt: time },
      }));
  },
};

/** Whether a call asks for the accounts of the kind that the user has. */
function isAsked({ params, engine, apiKey }: RestCall, name: 'MARGIN' | 'ISOLATED'): boolean {
  const queryType = params.get('queryType') ?? name;
  const isFast = engine.accounts.get(apiKey)!.setup.isHighFrequency !== false;
  return queryType === 'ALL' || queryType === (isFast ? `${name}_V2` : name);
}

function marginRow({ asset, total, held }: ReturnType<typeof kucoinRowsOf>[number]) {
  const [owned, owed] = total.sign < 0 ? [zero, total.negated()] : [total, zero];
  const free = owned.minus(held);
  return {
    ...{ currency: asset, total: String(owned), hold: String(held) },
    available: String(free.sign < 0 ? zero : free),
    ...{ liability: String(owed), liabilityPrincipal: String(owed), liabilityInterest: '0' },
  };
}

const rangeOf = ({ params }: RestCall, suffix: 'At' | 'Time'): [number, number] => [
  Number(params.get(`start${suffix}`) ?? 0),
  Number(params.get(`end${suffix}`) ?? Infinity),
];

function entriesOf(call: RestCall, kind: BookEntry['kind'], suffix: 'At' | 'Time'): BookEntry[] {
  const [from, until] = rangeOf(call, suffix);
  return call.engine.entries
    .filter((entry) => entry.account === call.apiKey && entry.kind === kind)
    .filter(({ time }) => time >= from && time <= until);
}

/** A page that begins after a row. */
function offsetPage(
  { params }: RestCall,
  rows: readonly BookEntry[],
  rowOf: (entry: BookEntry) => object,
): { dataList: object[]; hasMore: boolean } {
  const left = rows.filter(({ id }) => id > Number(params.get('offset') ?? 0));
  const page = left.slice(0, Number(params.get('maxCount') ?? 50));
  return { dataList: page.map(rowOf), hasMore: page.length < left.length };
}
