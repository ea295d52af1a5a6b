import { randomBytes, randomInt } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type { Plan } from '../users/users.js';
import {
  mostStrategyVersions,
  newestVersion,
  type SavedStrategy,
  type SharedStrategy,
  type StrategyVersion,
} from './saved-strategy.js';

/**
 * The places from 0 bound how many a user has. `order`: time and id, which sort without ties. `revision` grows with each
 * change. `sharedHashes` are those of the shared versions.
 */
interface StrategyDocument extends Omit<SavedStrategy, 'id'> {
  _id: string;
  userId: string;
  place: number;
  order: string;
  revision: number;
  sharedHashes: string[];
}

/** How many strategies an account may keep. */
export const mostStrategies: Record<Plan, number> = { free: 10, plus: 100, pro: 500 };

export interface StrategyPage {
  /** The one changed last is first. */
  strategies: SavedStrategy[];
  /** Where the next page starts; null after the last. */
  next: string | null;
}

/** Strategies that users have saved. Every query names the user, so that those of others are not found, unless by a shared hash. */
export class SavedStrategyRepository {
  readonly #collection: Collection<StrategyDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'strategies');
  }

  /** Saves a strategy as version 1. Throws `too_many_strategies`. A unique index on the place decides between calls at the same time. */
  async add(
    { userId, plan }: { userId: string; plan: Plan },
    given: Pick<SavedStrategy, 'name' | 'description'> & Pick<StrategyVersion, 'hash' | 'rules'>,
    now = Date.now(),
  ): Promise<SavedStrategy> {
    const { name, description, hash, rules } = given;
    const at = new Date(now);
    const versions = [{ version: 1, hash, rules, createdAt: at }];
    const strategy: SavedStrategy = {
      id: newId(),
      name,
      description,
      versions,
      shared: [],
      createdAt: at,
      updatedAt: at,
    };
    for (;;) {
      const free = await this.#freePlaces(userId, mostStrategies[plan]);
      if (free.length === 0)
        throw new AppError(
          'too_many_strategies',
          `the plan ${plan} keeps at most ${mostStrategies[plan]} strategies: delete one first`,
        );
      const place = free[randomInt(free.length)];
      // Another call may have taken the place meanwhile: then fewer are free.
      if (await this.#insert(toDocument(strategy, { userId, place, revision: 0 }))) return strategy;
    }
  }

  /** The strategies of a user, or those that follow a page's `next`. */
  async list(
    userId: string,
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<StrategyPage> {
    const found = await this.#collection
      .find({ userId, ...(after === undefined ? {} : { order: { $lt: after } }) })
      .sort({ order: -1 })
      .limit(limit + 1)
      .toArray();
    const page = found.slice(0, limit);
    return { strategies: page.map(toStrategy), next: found.length > limit ? page.at(-1)!.order : null };
  }

  /** A strategy of a user. Throws `unknown_strategy`. */
  async find(userId: string, id: string): Promise<SavedStrategy> {
    const found = await this.#collection.findOne({ _id: id, userId });
    if (!found) throw unknownStrategy(id);
    return toStrategy(found);
  }

  /**
   * Adds a version, unless the newest one has the same rules. Beyond 50 the oldest goes that is not shared. Throws
   * `unknown_strategy`, and `too_many_strategies` where all are shared.
   */
  addVersion(
    userId: string,
    id: string,
    { hash, rules }: Pick<StrategyVersion, 'hash' | 'rules'>,
    now = Date.now(),
  ): Promise<SavedStrategy> {
    return this.#change(userId, id, (strategy) => {
      const newest = newestVersion(strategy);
      if (newest.hash === hash) return null;
      const at = new Date(now);
      const versions = [...strategy.versions, { version: newest.version + 1, hash, rules, createdAt: at }];
      return { ...strategy, versions: withoutOldest(versions, strategy), updatedAt: at };
    });
  }

  /** Shares a version, or ends that. Throws `unknown_strategy` where there is no such version. */
  share(
    userId: string,
    id: string,
    { version, shared }: { version: number; shared: boolean },
  ): Promise<SavedStrategy> {
    return this.#change(userId, id, (strategy) => {
      if (!strategy.versions.some((each) => each.version === version)) throw unknownVersion(id, version);
      if (strategy.shared.includes(version) === shared) return null;
      const others = strategy.shared.filter((each) => each !== version);
      return { ...strategy, shared: shared ? [...others, version].sort((a, b) => a - b) : others };
    });
  }

  /** The rules of a shared version, of the strategy that was saved first where several share them. Throws `unknown_strategy`. */
  async shared(hash: string): Promise<SharedStrategy> {
    const found = await this.#collection
      .find({ sharedHashes: hash })
      .sort({ createdAt: 1, _id: 1 })
      .limit(1)
      .next();
    const version = found?.versions.find((each) => each.hash === hash && found.shared.includes(each.version));
    if (!found || !version)
      throw new AppError('unknown_strategy', `there is no shared strategy "${hash}"`, {
        details: { field: 'hash' },
      });
    return { name: found.name, hash, rules: version.rules };
  }

  /** Deletes a strategy of a user with all versions. Throws `unknown_strategy`. */
  async remove(userId: string, id: string): Promise<void> {
    const { deletedCount } = await this.#collection.deleteOne({ _id: id, userId });
    if (deletedCount === 0) throw unknownStrategy(id);
  }

  /** Writes what `change` makes of a strategy; where another call has changed it meanwhile, begins again. Null changes nothing. */
  async #change(
    userId: string,
    id: string,
    change: (strategy: SavedStrategy) => SavedStrategy | null,
  ): Promise<SavedStrategy> {
    for (;;) {
      const found = await this.#collection.findOne({ _id: id, userId });
      if (!found) throw unknownStrategy(id);
      const changed = change(toStrategy(found));
      if (changed === null) return toStrategy(found);
      const { place, revision } = found;
      const document = toDocument(changed, { userId, place, revision: revision + 1 });
      const { modifiedCount } = await this.#collection.replaceOne({ _id: id, userId, revision }, document);
      if (modifiedCount === 1) return changed;
    }
  }

  async #freePlaces(userId: string, most: number): Promise<number[]> {
    const found = this.#collection.find({ userId }).project<{ place: number }>({ place: 1 });
    const taken = new Set((await found.toArray()).map(({ place }) => place));
    if (taken.size >= most) return [];
    return Array.from({ length: most }, (_, place) => place).filter((place) => !taken.has(place));
  }

  /** False where the place is taken. */
  async #insert(document: StrategyDocument): Promise<boolean> {
    try {
      await insertOnce(this.#collection, document);
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

const newId = (): string => `str_${Array.from(randomBytes(20), (byte) => letters[byte & 31]).join('')}`;

/** The error for an id of which the user has no strategy, also where another user has one. */
const unknownStrategy = (id: string) =>
  new AppError('unknown_strategy', `there is no saved strategy "${id}"`, { details: { field: 'id' } });

export const unknownVersion = (id: string, version: number): AppError =>
  new AppError('unknown_strategy', `the strategy "${id}" has no version ${version}`, {
    details: { field: 'version' },
  });

function withoutOldest(versions: StrategyVersion[], { id, shared }: SavedStrategy): StrategyVersion[] {
  if (versions.length <= mostStrategyVersions) return versions;
  const oldest = versions.slice(0, -1).find(({ version }) => !shared.includes(version));
  if (oldest) return versions.filter((each) => each !== oldest);
  throw new AppError(
    'too_many_strategies',
    `all ${mostStrategyVersions} versions of "${id}" are shared: end that for one first`,
  );
}

function toDocument(
  { id, ...strategy }: SavedStrategy,
  own: Pick<StrategyDocument, 'userId' | 'place' | 'revision'>,
): StrategyDocument {
  const shared = strategy.versions.filter(({ version }) => strategy.shared.includes(version));
  return {
    _id: id,
    ...own,
    ...strategy,
    order: `${strategy.updatedAt.toISOString()} ${id}`,
    sharedHashes: shared.map(({ hash }) => hash),
  };
}

const toStrategy = ({
  _id: id,
  name,
  description,
  versions,
  shared,
  createdAt,
  updatedAt,
}: StrategyDocument): SavedStrategy => ({ id, name, description, versions, shared, createdAt, updatedAt });
