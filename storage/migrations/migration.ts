import type { Db } from 'mongodb';

/**
 * One change of indexes or stored documents. `up` must be safe to run again after it was interrupted. It calls `confirm`
 * before each write, which throws `lease_lost` when another process migrates by now because this one was paused.
 */
export interface Migration {
  id: string;
  /** Whether the release before, which does not know it, can serve on its result: then both run side by side during an update. */
  isCompatible: boolean;
  up(db: Db, confirm: () => Promise<void>): Promise<void>;
}
