import type { binance as Binance } from 'ccxt';
import type { PairSymbols } from '../../../../compute/model/market-pair.js';
import type { PositionAccount } from '../../../../compute/paper/margin/margin-terms.js';
import { readDecimal } from '../../read-decimal.js';
import { readSpans } from '../../read-spans.js';
import { requirePage } from '../../require-page.js';
import type { LedgerEntry, LedgerTerms } from '../../venue-wallets.js';

const dayMs = 86_400_000;
/** The longest span of time of one request, and how long lines are kept, on futures and on margin. */
const futuresSpanMs = 90 * dayMs;
const marginSpanMs = 29 * dayMs;
const keptMs = 89 * dayMs;
const incomePage = 1_000;
const marginPage = 100;

/** Transfers, funding of positions, and interest on what was borrowed. */
export const binanceEntries = (
  client: Binance,
  account: PositionAccount,
  terms: LedgerTerms,
): Promise<LedgerEntry[]> => {
  const sinceMs = Math.max(terms.sinceMs, terms.nowMs - keptMs);
  return account === 'FUTURES'
    ? futuresEntries(client, { ...terms, sinceMs })
    : marginEntries(client, { ...terms, sinceMs });
};

interface IncomeRow {
  symbol: string;
  incomeType: string;
  income: string;
  asset: string;
  time: string | number;
  tranId: string | number;
}

async function futuresEntries(client: Binance, { sinceMs, nowMs }: LedgerTerms): Promise<LedgerEntry[]> {
  const kinds = [
    ['TRANSFER', 'transfer'],
    ['FUNDING_FEE', 'funding'],
  ] as const;
  const lists = kinds.map(async ([incomeType, kind]) => {
    const rows = await readSpans({ sinceMs, untilMs: nowMs, spanMs: futuresSpanMs }, (startTime, endTime) =>
      pagesOf(incomePage, async (page) => {
        const params = { incomeType, startTime, endTime, limit: incomePage, page };
        return (await client.fapiPrivateGetIncome(params)) as IncomeRow[];
      }),
    );
    return rows.map(({ symbol, income, asset, time, tranId }): LedgerEntry => ({
      // Unique among the lines of one kind, for each contract.
      id: `${tranId}${symbol}`,
      kind,
      asset,
      amount: readDecimal(income),
      pair: pairOf(symbol, asset),
      basis: null,
      at: Number(time),
    }));
  });
  return (await Promise.all(lists)).flat();
}

interface InterestRow {
  txId: string | number;
  interestAccuredTime: string | number;
  asset: string;
  principal: string;
  interest: string;
  isolatedSymbol?: string;
}

interface TransferRow {
  txId: string | number;
  timestamp: string | number;
  asset: string;
  amount: string;
  status: string;
  type: string;
}

async function marginEntries(client: Binance, terms: LedgerTerms): Promise<LedgerEntry[]> {
  const { assets = [] } = (await client.sapiGetMarginIsolatedAccount()) as { assets?: { symbol: string }[] };
  const isolated = assets.map(({ symbol }) => symbol);
  const transfers = [undefined, ...isolated].map((symbol) => marginTransfers(client, terms, symbol));
  // All at once: one that fails while another is waited for would end the process.
  return (await Promise.all([marginInterest(client, terms), ...transfers])).flat();
}

async function marginInterest(client: Binance, { sinceMs, nowMs }: LedgerTerms): Promise<LedgerEntry[]> {
  const rows = await readSpans({ sinceMs, untilMs: nowMs, spanMs: marginSpanMs }, (startTime, endTime) =>
    pagesOf(marginPage, async (current) => {
      const answer = await client.sapiGetMarginInterestHistory({
        startTime,
        endTime,
        current,
        size: marginPage,
      });
      return (answer as { rows?: InterestRow[] }).rows ?? [];
    }),
  );
  return rows.map(
    ({ txId, interestAccuredTime, asset, principal, interest, isolatedSymbol }): LedgerEntry => ({
      id: String(txId),
      kind: 'interest',
      asset,
      amount: readDecimal(interest).negated(),
      pair: isolatedSymbol ? pairOfMargin(isolatedSymbol) : null,
      basis: readDecimal(principal),
      at: Number(interestAccuredTime),
    }),
  );
}

async function marginTransfers(
  client: Binance,
  { sinceMs, nowMs }: LedgerTerms,
  isolatedSymbol?: string,
): Promise<LedgerEntry[]> {
  const rows = await readSpans({ sinceMs, untilMs: nowMs, spanMs: marginSpanMs }, (startTime, endTime) =>
    pagesOf(marginPage, async (current) => {
      const params = { startTime, endTime, current, size: marginPage };
      const answer = await client.sapiGetMarginTransfer({
        ...params,
        ...(isolatedSymbol && { isolatedSymbol }),
      });
      return (answer as { rows?: TransferRow[] }).rows ?? [];
    }),
  );
  return rows
    .filter(({ status }) => status === 'CONFIRMED')
    .map(({ txId, timestamp, asset, amount, type }): LedgerEntry => {
      const moved = readDecimal(amount);
      return {
        id: `${isolatedSymbol ?? ''}${txId}`,
        kind: 'transfer',
        asset,
        amount: type === 'ROLL_OUT' ? moved.negated() : moved,
        pair: isolatedSymbol ? pairOfMargin(isolatedSymbol) : null,
        basis: null,
        at: Number(timestamp),
      };
    });
}

/** All pages of a list; the first one has the number 1. */
async function pagesOf<Row>(size: number, read: (page: number) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1, found = size; found === size; page++) {
    requirePage(page);
    const more = await read(page);
    rows.push(...more);
    found = more.length;
  }
  return rows;
}

/** The pair of a contract that settles in an asset; null for a line without one. */
const pairOf = (symbol: string, asset: string): PairSymbols | null =>
  symbol.length > asset.length && symbol.endsWith(asset)
    ? { base: symbol.slice(0, -asset.length), quote: asset }
    : null;

/** Quote assets of isolated margin; none of them is the end of another asset's name. */
const quotes = ['USDT', 'USDC', 'FDUSD', 'BTC', 'ETH', 'BNB', 'EUR'];

const pairOfMargin = (symbol: string): PairSymbols | null =>
  quotes.map((quote) => pairOf(symbol, quote)).find((pair) => pair !== null) ?? null;
