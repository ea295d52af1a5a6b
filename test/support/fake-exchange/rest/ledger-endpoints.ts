import type { BookEntry } from '../book/book-entry.js';
import { absolute } from '../book/account-funds.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { eightPlaces } from './order-fields.js';
import { entriesOf, numberIn, type Endpoint, type RestCall } from './rest-call.js';

const incomeTypes = { transfer: 'TRANSFER', funding: 'FUNDING_FEE', interest: '' } as const;

/** What moved the wallets of futures and margin beside trades. */
export const ledgerEndpoints: Record<string, Endpoint> = {
  'GET /fapi/v1/income': (call) => {
    const { params } = call;
    const rows = entriesOf(call, 'futures', ...spanOf(call)).filter(({ type }) => {
      return !params.has('incomeType') || incomeTypes[type] === params.get('incomeType');
    });
    return pageOf(call, rows, { pageName: 'page', sizeName: 'limit', usual: 100, most: 1_000 }).map(
      ({ id, type, asset, amount, symbol, time }) => ({
        ...{ symbol: symbol ?? '', incomeType: incomeTypes[type], income: eightPlaces(amount), asset },
        ...{ info: incomeTypes[type], time, tranId: 9_000_000_000 + id, tradeId: '' },
      }),
    );
  },

  'GET /sapi/v1/margin/forceLiquidationRec': (call) => {
    const symbol = call.params.get('isolatedSymbol');
    const rows = call.engine.orders.filter(
      ({ request }) =>
        request.account === call.apiKey &&
        request.kind === (symbol === null ? 'margin' : 'isolated') &&
        (symbol ?? request.symbol) === request.symbol &&
        request.clientOrderId.startsWith('autoclose-'),
    );
    return {
      rows: rows.map(({ id, request, executed, updateTime }) => ({
        ...{ orderId: id, symbol: request.symbol, side: request.side, isIsolated: symbol !== null },
        ...{ executedQty: eightPlaces(executed), updatedTime: updateTime, timeInForce: 'GTC' },
      })),
      total: rows.length,
    };
  },

  'GET /sapi/v1/margin/interestHistory': (call) => {
    const rows = entriesOf(call, 'margin', ...spanOf(call)).filter(({ type }) => type === 'interest');
    requireSpan(call);
    return {
      rows: pageOf(call, rows, marginPage).map(({ id, asset, amount, basis, time }) => ({
        ...{ txId: 1_000 + id, interestAccuredTime: time, asset },
        ...{ principal: eightPlaces(basis), interest: eightPlaces(amount.negated()) },
        ...{ interestRate: '0.00024473', type: 'PERIODIC', isolatedSymbol: '' },
      })),
      total: rows.length,
    };
  },

  'GET /sapi/v1/margin/transfer': (call) => {
    const isIsolated = call.params.has('isolatedSymbol');
    const rows = entriesOf(call, 'margin', ...spanOf(call)).filter(
      ({ type }) => type === 'transfer' && !isIsolated,
    );
    requireSpan(call);
    return {
      rows: pageOf(call, rows, marginPage).map(({ id, asset, amount, time }) => ({
        amount: eightPlaces(absolute(amount)),
        ...{ asset, status: 'CONFIRMED', timestamp: time, txId: 5_000 + id },
        type: amount.sign < 0 ? 'ROLL_OUT' : 'ROLL_IN',
      })),
      total: rows.length,
    };
  },
};

const marginPage = { pageName: 'current', sizeName: 'size', usual: 10, most: 100 } as const;
const longestSpanMs = 30 * 86_400_000;

const spanOf = (call: RestCall) =>
  [numberIn(call, 'startTime', 0), numberIn(call, 'endTime', Infinity)] as const;

function requireSpan(call: RestCall): void {
  if (numberIn(call, 'endTime', 0) - numberIn(call, 'startTime', 0) > longestSpanMs)
    throw new ExchangeRefusal(-1127, 'More than 30 days between startTime and endTime.');
}

function pageOf(
  call: RestCall,
  rows: readonly BookEntry[],
  { pageName, sizeName, usual, most }: { pageName: string; sizeName: string; usual: number; most: number },
): BookEntry[] {
  const size = Math.min(most, numberIn(call, sizeName, usual));
  const page = numberIn(call, pageName, 1);
  return rows.slice((page - 1) * size, page * size);
}
