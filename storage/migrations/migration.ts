import type { Db } from 'mongodb';

/** One change of indexes or stored documents. `up` must be safe to run again after it was interrupted. */
export interface Migration {
  id: string;
  up(db: Db): Promise<void>;
}
