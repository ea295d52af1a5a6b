/** One taking of a lease. `id` is unique; `owner` is named where a later holder of the same owner may take the lease over. */
export interface LeaseHolder {
  id: string;
  owner?: string | undefined;
}

/** What a store says of a lease that was taken; see `HeldLease`. */
export interface TakenLease {
  token: number;
  tookOver: boolean;
}

/** Where leases are kept. An expired lease counts as free, by the clock of the server that keeps it. */
export interface LeaseStore {
  /** Takes the lease for `leaseMs`; null while a holder of another owner has it. */
  take(name: string, holder: LeaseHolder, leaseMs: number): Promise<TakenLease | null>;
  /** Extends the lease to `leaseMs` from now; false when another holder has taken it since, or it is gone. */
  renew(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean>;
  /** Frees the lease; does nothing when the holder has lost it. */
  release(name: string, holder: LeaseHolder): Promise<void>;
  /** Deletes leases that expired before that time and returns how many. */
  dropAbandoned(before: Date): Promise<number>;
}
