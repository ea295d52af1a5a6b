import { addUpAmounts, negatedAmounts, type HeldAmount } from './account-value.js';

/** The content of a wallet at a time, and the transfers until then. Amounts are by asset. */
export interface WalletState {
  /** The time of its first reading, which identifies the wallet: it differs after a new connection. Null: never read. */
  readonly since: number | null;
  /** Its net amount of each asset: debts are subtracted, unrealised gains are included. */
  readonly worth: readonly HeldAmount[];
  /** What was transferred into it (above 0) or out, over all known lines of its ledger. */
  readonly transferred: readonly HeldAmount[];
  /** Its content at the beginning; absent if it is unknown. */
  readonly opening?: readonly HeldAmount[] | undefined;
}

/**
 * What was paid into a wallet (above 0) or out of it between two times, by asset: the transfers of its ledger. All other changes
 * are profit or loss. For a wallet that was not known before, its opening content counts as paid in, or else its whole content.
 */
export function walletFlow(before: WalletState | undefined, now: WalletState): HeldAmount[] {
  if (before?.since === now.since) return difference(now.transferred, before.transferred);
  return difference(now.opening ?? now.worth, before?.worth ?? []);
}

const difference = (after: readonly HeldAmount[], before: readonly HeldAmount[]): HeldAmount[] =>
  addUpAmounts([...after, ...negatedAmounts(before)]);
