import { groupBy } from '../../../compute/model/group-by.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import type { Account } from '../../accounts/accounts.js';
import { bookFill } from './book-fill.js';
import { eventOf, isOrderRow, type PaperEventRow, type PaperOrderRow } from './paper-rows.js';

/** What a settlement of one account writes, in this order: as long as an event is due, the settlement is repeated. */
export interface Settlement {
  /** The account with the fills; null when nothing of it changes. */
  account: Account | null;
  /** Ids of orders that have ended, which no price reaches any more. */
  ended: string[];
  /** Ids of such orders and of their events, all but the last order of the user, without events that are due. */
  closed: string[];
  /** Ids of the events that are due of those orders. */
  closedDue: string[];
  /** Ids of the events that are due of other orders. */
  settled: string[];
}

/**
 * How long an account names a fill after its row was seen live: far longer than any process can take between reading rows and
 * reading the account, and longer than clocks differ.
 */
export const rememberMs = 600_000;

/**
 * The account with every fill that it does not have yet, in the order of time. `rows` are the live rows of the user, read after the
 * account; an order with an end has all of its events among them, whether they are live or not.
 */
export function planSettlement(
  account: Account,
  rows: readonly (PaperOrderRow | PaperEventRow)[],
  nowMs: number,
): Settlement {
  const live = rows.filter(({ liveOf }) => liveOf !== null);
  const liveIds = new Set(live.map(idOf));
  const booked = account.booked ?? [];
  const bookedIds = new Set(booked.map(({ id }) => id));
  const events = live.filter((row): row is PaperEventRow => !isOrderRow(row));
  const fresh = events.filter(({ _id, quantity }) => quantity !== null && !bookedIds.has(_id)).sort(byTime);
  const kept = booked
    .filter(({ id, at }) => liveIds.has(id) || at > nowMs - rememberMs)
    .map(({ id, at }) => ({ id, at: liveIds.has(id) ? nowMs : at }));
  const next = {
    ...withFills(account, fresh),
    booked: [...kept, ...fresh.map(({ _id: id }) => ({ id, at: nowMs }))],
  };
  const endedOrders = new Set(
    rows.flatMap((row) => (!isOrderRow(row) && row.end !== null ? [row.order] : [])),
  );
  const lastSeq = Math.max(...live.map(seqOf));
  const ended = live.filter(({ order }) => endedOrders.has(order));
  const closing = ended.filter((row) => seqOf(row) < lastSeq);
  // The account has to name a fill for long enough after its row is closed.
  const longAgo = new Set(booked.filter(({ at }) => at < nowMs - rememberMs / 2).map(({ id }) => id));
  return {
    account: fresh.length > 0 || closing.some(({ _id }) => longAgo.has(_id)) ? next : null,
    ended: ended.filter((row) => isOrderRow(row) && row.watch !== null).map(idOf),
    closed: closing.filter((row) => !isDue(row)).map(idOf),
    closedDue: closing.filter(isDue).map(idOf),
    settled: events.filter((row) => isDue(row) && !closing.includes(row)).map(idOf),
  };
}

/** The orders of which some rows are missing: a settlement was cut off while it closed them. */
export function incompleteOrders(rows: readonly (PaperOrderRow | PaperEventRow)[]): string[] {
  const isComplete = (own: readonly (PaperOrderRow | PaperEventRow)[]) => {
    const numbers = own.flatMap((row) => (isOrderRow(row) ? [] : [row.number]));
    return own.some(isOrderRow) && Math.max(-1, ...numbers) + 1 === numbers.length;
  };
  return [...groupBy(rows, ({ order }) => order)].filter(([, own]) => !isComplete(own)).map(([id]) => id);
}

const withFills = (account: Account, fresh: readonly PaperEventRow[]): Account =>
  fresh.reduce((before, row) => {
    const { fill } = eventOf(row);
    return { ...before, ...bookFill(before, { pair: parsePair(row.pair)!, side: row.side, fill: fill! }) };
  }, account);

const seqOf = (row: PaperOrderRow | PaperEventRow): number => (isOrderRow(row) ? row.seq : row.orderSeq);

const byTime = (one: PaperEventRow, other: PaperEventRow): number =>
  one.at - other.at || one.orderSeq - other.orderSeq || one.number - other.number;

const isDue = (row: PaperOrderRow | PaperEventRow): boolean => !isOrderRow(row) && row.isDue;

const idOf = ({ _id }: { _id: string }): string => _id;
