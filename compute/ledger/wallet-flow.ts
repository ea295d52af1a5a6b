import { addUpAmounts, negatedAmounts, type HeldAmount } from './account-value.js';

/** What a wallet was worth at a time, and what has been moved into it by then. Amounts by asset. */
export interface WalletState {
  /** When it was read first, which names the wallet: another connection has another one. Null: it was never read. */
  readonly since: number | null;
  /** What it is worth in each asset: less what is owed, with gains that are not realised. */
  readonly worth: readonly HeldAmount[];
  /** What was moved into it (above 0) or out, in all that is known of its ledger. */
  readonly transferred: readonly HeldAmount[];
  /** What it began with, where that is known. */
  readonly opening?: readonly HeldAmount[] | undefined;
}

/**
 * What was paid into a wallet (above 0) or out of it between two times, by asset: what its ledger calls a transfer. All else
 * that has changed it is profit or loss. A wallet that was not known before was paid in whole, or what it began with.
 */
export function walletFlow(before: WalletState | undefined, now: WalletState): HeldAmount[] {
  if (before?.since === now.since) return difference(now.transferred, before.transferred);
  return difference(now.opening ?? now.worth, before?.worth ?? []);
}

const difference = (after: readonly HeldAmount[], before: readonly HeldAmount[]): HeldAmount[] =>
  addUpAmounts([...after, ...negatedAmounts(before)]);
