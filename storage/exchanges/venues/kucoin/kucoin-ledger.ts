import type { kucoin as Kucoin } from 'ccxt';
import { pairName, type PairSymbols } from '../../../../compute/model/market-pair.js';
import { quotientPlaces } from '../../../../compute/model/pair-rules.js';
import type { PositionAccount } from '../../../../compute/paper/margin/margin-terms.js';
import { readDecimal } from '../../read-decimal.js';
import { readSpans } from '../../read-spans.js';
import { requirePage } from '../../require-page.js';
import type { LedgerEntry, LedgerTerms } from '../../venue-wallets.js';
import { isolatedRows } from './kucoin-margin.js';

const dayMs = 86_400_000;
/** The longest span of time of one request, and how far back lines are read: of futures, and of the ledger of margin. */
const futuresSpanMs = 80 * dayMs;
const historyMs = 90 * dayMs;
const ledgerSpanMs = dayMs;
const ledgerKeptMs = 7 * dayMs;
const pageSize = 50;
const settledIn = 'USDT';

/** Transfers, funding of positions, and interest on what was borrowed. */
export const kucoinEntries = async (
  client: Kucoin,
  account: PositionAccount,
  terms: LedgerTerms,
): Promise<LedgerEntry[]> => {
  const recent = { ...terms, sinceMs: Math.max(terms.sinceMs, terms.nowMs - historyMs) };
  const lists =
    account === 'FUTURES'
      ? [futuresTransfers(client, recent), funding(client, recent)]
      : [marginTransfers(client, recent), marginInterest(client, recent)];
  return (await Promise.all(lists)).flat();
};

interface TransactionRow {
  time: string | number;
  type: string;
  amount: string;
  status: string;
  offset: string | number;
  currency: string;
}

async function futuresTransfers(client: Kucoin, { sinceMs, nowMs }: LedgerTerms): Promise<LedgerEntry[]> {
  const found = ['TransferIn', 'TransferOut'].map(async (type) => {
    const rows = await readSpans(
      { sinceMs, untilMs: nowMs, spanMs: futuresSpanMs },
      async (startAt, endAt) => {
        const params = { type, currency: settledIn, startAt, endAt };
        return pagesByOffset<TransactionRow>(
          (more) => client.futuresPrivateGetTransactionHistory({ ...params, ...more }),
          ({ offset }) => offset,
        );
      },
    );
    return rows
      .filter(({ status }) => status === 'Completed')
      .map(({ time, amount, offset, currency }): LedgerEntry => {
        const read = readDecimal(amount);
        const moved = read.sign < 0 ? read.negated() : read;
        return {
          id: String(offset),
          kind: 'transfer',
          asset: currency,
          amount: type === 'TransferOut' ? moved.negated() : moved,
          pair: null,
          basis: null,
          at: Number(time),
        };
      });
  });
  return (await Promise.all(found)).flat();
}

interface FundingRow {
  id: string | number;
  timePoint: string | number;
  markPrice: string;
  positionCost: string;
  funding: string;
  settleCurrency: string;
}

/** Funding is listed by contract: of those with a position now, and of pairs that were traded. */
async function funding(client: Kucoin, { sinceMs, nowMs, pairs }: LedgerTerms): Promise<LedgerEntry[]> {
  const { data = [] } = (await client.futuresPrivateGetPositions()) as { data?: { symbol: string }[] };
  const held = data.flatMap(({ symbol }) => pairOfContract(symbol) ?? []);
  const asked = new Map([...held, ...pairs].map((pair) => [pairName(pair), pair]));
  const lists = [...asked.values()].map(async (pair) => {
    const rows = await readSpans({ sinceMs, untilMs: nowMs, spanMs: futuresSpanMs }, (startAt, endAt) =>
      pagesByOffset<FundingRow>(
        (more) =>
          client.futuresPrivateGetFundingHistory({ symbol: contractOf(pair), startAt, endAt, ...more }),
        ({ id }) => id,
      ),
    );
    return rows.map(
      ({ id, timePoint, markPrice, positionCost, funding: paid, settleCurrency }): LedgerEntry => {
        const [price, cost] = [readDecimal(markPrice), readDecimal(positionCost)];
        const value = cost.sign < 0 ? cost.negated() : cost;
        return {
          id: String(id),
          kind: 'funding',
          asset: settleCurrency,
          amount: readDecimal(paid),
          pair,
          basis: price.sign === 0 ? null : value.dividedBy(price, quotientPlaces, 'half-even'),
          at: Number(timePoint),
        };
      },
    );
  });
  return (await Promise.all(lists)).flat();
}

/** All pages of a list of futures, of which the next one begins after the last row. */
async function pagesByOffset<Row>(
  read: (more: object) => Promise<unknown>,
  offsetOf: (row: Row) => string | number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let isMore = true, page = 1; isMore; page++) {
    requirePage(page);
    const last = rows.at(-1);
    const answer = await read({ maxCount: pageSize, ...(last && { offset: offsetOf(last) }) });
    const { dataList = [], hasMore } = (answer as { data: { dataList?: Row[]; hasMore?: unknown } }).data;
    rows.push(...dataList);
    isMore = hasMore === true && dataList.length > 0;
  }
  return rows;
}

interface InterestRow {
  createdTime: string | number;
  currency: string;
  interestAmount: string;
}

/** Interest on cross margin, and on isolated margin, where it is listed by pair. */
async function marginInterest(client: Kucoin, terms: LedgerTerms): Promise<LedgerEntry[]> {
  const isolated = (await isolatedRows(client)).map(({ symbol }) => symbol);
  const lists = [null, ...isolated].map((symbol) => interestOf(client, terms, symbol));
  return (await Promise.all(lists)).flat();
}

async function interestOf(
  client: Kucoin,
  { sinceMs, nowMs }: LedgerTerms,
  symbol: string | null,
): Promise<LedgerEntry[]> {
  const rows = await readSpans(
    { sinceMs, untilMs: nowMs, spanMs: futuresSpanMs },
    async (startTime, endTime) => {
      const found: InterestRow[] = [];
      for (let currentPage = 1, size = pageSize; size === pageSize; currentPage++) {
        requirePage(currentPage);
        const params = { startTime, endTime, currentPage, pageSize };
        const { data } = (await client.privateGetMarginInterest({
          ...params,
          ...(symbol !== null && { isIsolated: true, symbol }),
        })) as { data?: { items?: InterestRow[] } };
        const { items = [] } = data ?? {};
        found.push(...items);
        size = items.length;
      }
      return found;
    },
  );
  // An asset is charged once at a time in each account.
  return rows.map(({ createdTime: at, currency, interestAmount }): LedgerEntry => ({
    id: `${at}${currency}${symbol ?? ''}`,
    kind: 'interest',
    asset: currency,
    amount: readDecimal(interestAmount).negated(),
    pair: symbol === null ? null : pairOfSpot(symbol),
    basis: null,
    at: Number(at),
  }));
}

interface LedgerRow {
  id: string | number;
  currency: string;
  amount: string;
  direction: string;
  createdAt: string | number;
}

async function marginTransfers(client: Kucoin, { sinceMs, nowMs }: LedgerTerms): Promise<LedgerEntry[]> {
  const from = Math.max(sinceMs, nowMs - ledgerKeptMs);
  const rows = await readSpans(
    { sinceMs: from, untilMs: nowMs, spanMs: ledgerSpanMs },
    async (startAt, endAt) => {
      const found: LedgerRow[] = [];
      for (let size = pageSize, page = 1; size === pageSize; page++) {
        requirePage(page);
        const last = found.at(-1);
        const params = { bizType: 'TRANSFER', startAt, endAt, limit: pageSize };
        const { data = [] } = (await client.privateGetHfMarginAccountLedgers({
          ...params,
          ...(last && { lastId: last.id }),
        })) as { data?: LedgerRow[] };
        found.push(...data);
        size = data.length;
      }
      return found;
    },
  );
  return rows.map(({ id, currency, amount, direction, createdAt }): LedgerEntry => {
    const moved = readDecimal(amount);
    return {
      id: String(id),
      kind: 'transfer',
      asset: currency,
      amount: direction === 'out' ? moved.negated() : moved,
      pair: null,
      basis: null,
      at: Number(createdAt),
    };
  });
}

const pairOfSpot = (symbol: string): PairSymbols | null => {
  const [base, quote] = symbol.split('-');
  return quote === undefined ? null : { base, quote };
};

/** KuCoin's name of the perpetual contract of a pair. */
const contractOf = ({ base, quote }: PairSymbols): string => `${base === 'BTC' ? 'XBT' : base}${quote}M`;

/** The pair of a contract that settles in USDT; null for another. */
function pairOfContract(symbol: string): PairSymbols | null {
  const base = /^([A-Z0-9]+)USDTM$/.exec(symbol)?.[1];
  return base === undefined ? null : { base: base === 'XBT' ? 'BTC' : base, quote: settledIn };
}
