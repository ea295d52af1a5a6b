import type { Db } from 'mongodb';

/** One change of the database's shape. `up` may be cut off half way and run again. */
export interface Migration {
  id: string;
  up(db: Db): Promise<void>;
}
