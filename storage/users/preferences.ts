import type { Collection, Db } from 'mongodb';
import type { Interval } from '../../compute/model/interval.js';
import { openCollection } from '../servers/open-collection.js';

/** What pages show a user, and how. */
export interface Preferences {
  watchlist: string[];
  time: 'local' | 'UTC';
  interval: Interval;
  indicators: { name: string; params: Record<string, number> }[];
}

type PreferencesDocument = Preferences & { _id: string };

/** The preferences of users who have set them. */
export class PreferencesRepository {
  readonly #collection: Collection<PreferencesDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'preferences');
  }

  /** null: the user has set none. */
  async find(userId: string): Promise<Preferences | null> {
    const found = await this.#collection.findOne({ _id: userId });
    if (!found) return null;
    const { _id, ...preferences } = found;
    return preferences;
  }

  async put(userId: string, preferences: Preferences): Promise<void> {
    await this.#collection.replaceOne({ _id: userId }, preferences, { upsert: true });
  }
}
