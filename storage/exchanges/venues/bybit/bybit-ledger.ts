import type { bybit as Bybit } from 'ccxt';
import type { PairSymbols } from '../../../../compute/model/market-pair.js';
import type { PositionAccount } from '../../../../compute/paper/margin/margin-terms.js';
import { readDecimal } from '../../read-decimal.js';
import { readSpans } from '../../read-spans.js';
import { requirePage } from '../../require-page.js';
import type { LedgerEntry, LedgerKind, LedgerTerms } from '../../venue-wallets.js';

const dayMs = 86_400_000;
/** The longest span of time of one request, and how far back lines are read at first. */
const spanMs = 7 * dayMs;
const historyMs = 90 * dayMs;
const pageSize = 50;

interface LogRow {
  id: string;
  symbol: string;
  type: string;
  currency: string;
  /** What the line has added to the wallet. */
  change: string;
  /** The size of the position, below 0 for a short. */
  size?: string;
  transactionTime: string;
}

/** The types of lines that are read for each account. */
const typesOf: Record<PositionAccount, readonly (readonly [string, LedgerKind])[]> = {
  MARGIN: [['INTEREST', 'interest']],
  FUTURES: [
    ['SETTLEMENT', 'funding'],
    ['TRANSFER_IN', 'transfer'],
    ['TRANSFER_OUT', 'transfer'],
  ],
};

/** Lines of the transaction log of a unified account. */
export async function bybitEntries(
  client: Bybit,
  account: PositionAccount,
  { sinceMs, nowMs }: LedgerTerms,
): Promise<LedgerEntry[]> {
  const span = { sinceMs: Math.max(sinceMs, nowMs - historyMs), untilMs: nowMs, spanMs };
  const lists = typesOf[account].map(async ([type, kind]) => {
    const rows = await readSpans(span, (startTime, endTime) => pagesOf(client, { type, startTime, endTime }));
    return rows.map((row) => entryOf(row, kind));
  });
  return (await Promise.all(lists)).flat();
}

async function pagesOf(client: Bybit, terms: object): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  let cursor: string | undefined;
  for (let size = pageSize, page = 1; size === pageSize; page++) {
    requirePage(page);
    const params = { accountType: 'UNIFIED', limit: pageSize, ...terms, ...(cursor && { cursor }) };
    const { result = {} } = (await client.privateGetV5AccountTransactionLog(params)) as {
      result?: { list?: LogRow[]; nextPageCursor?: string };
    };
    const { list = [], nextPageCursor = '' } = result;
    rows.push(...list);
    cursor = nextPageCursor;
    size = cursor === '' ? 0 : list.length;
  }
  return rows;
}

function entryOf(
  { id, symbol, currency, change, size = '', transactionTime }: LogRow,
  kind: LedgerKind,
): LedgerEntry {
  const held = kind === 'funding' && size !== '' ? readDecimal(size) : null;
  return {
    id,
    kind,
    asset: currency,
    amount: readDecimal(change),
    pair: kind === 'funding' ? pairOf(symbol, currency) : null,
    basis: held && (held.sign < 0 ? held.negated() : held),
    at: Number(transactionTime),
  };
}

const pairOf = (symbol: string, quote: string): PairSymbols | null =>
  symbol.length > quote.length && symbol.endsWith(quote)
    ? { base: symbol.slice(0, -quote.length), quote }
    : null;
