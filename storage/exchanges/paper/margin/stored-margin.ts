import type { MarginAccount } from '../../../../compute/paper/margin/margin-account.js';
import type { MarginLevel } from '../../../../compute/paper/margin/margin-levels.js';
import type { PositionAccount } from '../../../../compute/paper/margin/margin-terms.js';
import type { OrderRef } from '../../trading-venue.js';

/** A margin account of a user as it was read. */
export interface StoredMargin {
  userId: string;
  account: PositionAccount;
  state: MarginAccount;
  /** Raised by one with each write; null for an account that is not stored. */
  revision: number | null;
  /** Names the write that stored it; null for an account that is not stored. */
  writer: string | null;
}

/** An account as it was read, and as it is to be. */
export interface MarginChange {
  before: StoredMargin;
  after: { state: MarginAccount; levels: readonly MarginLevel[] };
}

/** The id of a user's account. */
export const marginIdOf = ({ userId, account }: Pick<OrderRef, 'userId' | 'account'>): string =>
  `${userId}:${account}`;
