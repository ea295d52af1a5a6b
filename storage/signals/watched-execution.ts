import { Decimal } from '../../compute/model/decimal.js';
import type { PartnerSlot, StoredExecution } from './stored-execution.js';

/** The fields of an execution that the price watch needs. */
export interface WatchedExecution extends PartnerSlot {
  id: string;
  /** The market whose prices it follows. */
  market: string;
  pair: string;
  revision: number;
  /** A price at or below it is a crossing; null if no falling price is. */
  low: Decimal | null;
  /** A price at or above it is a crossing; null if no rising price is. */
  high: Decimal | null;
  everyTick: boolean;
  /** See `StoredLevels`. */
  setMs?: number;
  /** Time of the last price that was applied, in ms; null: none was. */
  seenMs: number | null;
  createdMs: number;
}

/** The levels of an execution as `low` and `high` instead of worse and better for its side; null if it waits for no price. */
export function levelsOf(
  execution: Pick<
    StoredExecution,
    | 'id'
    | 'partnerId'
    | 'slot'
    | 'market'
    | 'pair'
    | 'revision'
    | 'watched'
    | 'seenAt'
    | 'createdAt'
    | 'state'
  >,
): WatchedExecution | null {
  const { watched, seenAt, createdAt, state, id, partnerId, slot, market, pair, revision } = execution;
  if (!watched || !state) return null;
  const worse = watched.worse === null ? null : Decimal.read(watched.worse);
  const better = watched.better === null ? null : Decimal.read(watched.better);
  const [low, high] = state.side === 'long' ? [worse, better] : [better, worse];
  const { everyTick, setMs } = watched;
  return {
    ...(setMs !== undefined && { setMs }),
    id,
    partnerId,
    slot,
    market,
    pair,
    revision,
    low,
    high,
    everyTick,
    seenMs: seenAt?.getTime() ?? null,
    createdMs: createdAt.getTime(),
  };
}
