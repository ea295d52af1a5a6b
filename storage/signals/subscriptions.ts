import { ObjectId, type Collection, type Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { paperName } from '../exchanges/exchange-names.js';
import { findByValues } from '../servers/find-by-values.js';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { KeyedMutex } from '../process/keyed-mutex.js';
import { openCollection } from '../servers/open-collection.js';
import { defaultSettings, type Subscription, type SubscriptionSettings } from './subscription.js';

type SubscriptionDocument = Omit<Subscription, 'id'> & { _id: string };

export type NewSubscription = Omit<Subscription, 'id' | 'isPaused' | 'pauseReason' | 'createdAt'>;

const noReason = { pauseReason: null, goodReads: null };
/** Good readings in a row that end a pause. */
const readsToResume = 3;

const mostSubscriptions = 100;

/** The subscriptions of users to channels. Queries of a user name the user and never find subscriptions of others. */
export class SubscriptionRepository {
  readonly #collection: Collection<SubscriptionDocument>;
  readonly #adding = new KeyedMutex();

  constructor(db: Db) {
    this.#collection = openCollection(db, 'subscriptions');
  }

  /** Adds a subscription. Throws `already_exists` when the user follows the channel, and `invalid_input` for too many. */
  async add(subscription: NewSubscription): Promise<Subscription> {
    // One after the other, so that each counts those before it.
    return this.#adding.run(subscription.userId, () => this.#add(subscription));
  }

  async #add(subscription: NewSubscription): Promise<Subscription> {
    const { userId } = subscription;
    if (
      (await this.#collection.countDocuments({ userId }, { limit: mostSubscriptions })) >= mostSubscriptions
    )
      throw new AppError(
        'invalid_input',
        `a user may have ${mostSubscriptions} subscriptions; remove one first`,
      );
    const _id = new ObjectId().toHexString();
    const stored = { _id, ...subscription, isPaused: false, pauseReason: null, createdAt: new Date() };
    try {
      await insertOnce(this.#collection, stored);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const message = 'you follow this channel already; change that subscription or remove it first';
      throw new AppError('already_exists', message, { details: { field: 'channel' }, cause: error });
    }
    return toSubscription(stored);
  }

  /** The subscriptions of a user, the oldest first. */
  async ofUser(userId: string): Promise<Subscription[]> {
    return (await this.#collection.find({ userId }).sort({ _id: 1 }).toArray()).map(toSubscription);
  }

  async find(userId: string, id: string): Promise<Subscription | null> {
    const found = await this.#collection.findOne({ _id: id, userId });
    return found && toSubscription(found);
  }

  /** Subscriptions by id, without an order; those that were removed are missing. */
  async ofIds(ids: readonly string[]): Promise<Subscription[]> {
    return (await findByValues(this.#collection, '_id', ids)).map(toSubscription);
  }

  /** The subscriptions of a channel in the order of their ids, after one of them. */
  async ofChannel(channelId: string, after: string | null, limit: number): Promise<Subscription[]> {
    const found = this.#collection
      .find({ channelId, ...(after === null ? {} : { _id: { $gt: after } }) })
      .sort({ _id: 1 })
      .limit(limit);
    return (await found.toArray()).map(toSubscription);
  }

  /** The ids of the subscriptions of a channel in their order, after one of them. */
  async idsOfChannel(channelId: string, after: string | null, limit: number): Promise<string[]> {
    const found = this.#collection
      .find({ channelId, ...(after === null ? {} : { _id: { $gt: after } }) })
      .project<{ _id: string }>({ _id: 1 })
      .sort({ _id: 1 })
      .limit(limit);
    return (await found.toArray()).map(({ _id }) => _id);
  }

  /** How many subscriptions follow the signals of a channel now, with money and on paper. */
  async countFollowers(channelId: string): Promise<{ live: number; paper: number }> {
    const following = { channelId, autoInvest: true, isPaused: false };
    const [live, paper] = await Promise.all([
      this.#collection.countDocuments({ ...following, exchange: { $ne: paperName } }),
      this.#collection.countDocuments({ ...following, exchange: paperName }),
    ]);
    return { live, paper };
  }

  /** All subscriptions, the oldest first, after one of them. */
  async list(after: string | null, limit: number): Promise<Subscription[]> {
    const found = this.#collection.find(after === null ? {} : { _id: { $gt: after } });
    return (await found.sort({ _id: 1 }).limit(limit).toArray()).map(toSubscription);
  }

  /** Changes a subscription of a user and answers it as it is then; null if the user has none of that id. */
  async change(
    userId: string,
    id: string,
    settings: Partial<SubscriptionSettings & Pick<Subscription, 'isPaused'>>,
  ): Promise<Subscription | null> {
    if (Object.keys(settings).length === 0) return this.find(userId, id);
    const changed = await this.#collection.findOneAndUpdate(
      { _id: id, userId },
      { $set: settings.isPaused === undefined ? settings : { ...settings, ...noReason } },
      { returnDocument: 'after' },
    );
    return changed && toSubscription(changed);
  }

  /** Pauses or resumes the subscriptions of a user, those on one exchange or all, and returns how many there are. */
  async setPaused(userId: string, isPaused: boolean, exchange?: string): Promise<number> {
    const filter = { userId, ...(exchange === undefined ? {} : { exchange }) };
    return (await this.#collection.updateMany(filter, { $set: { isPaused, ...noReason } })).matchedCount;
  }

  /**
   * Pauses those of a user's subscriptions on an exchange that are not paused, or whose pause would end by itself, and returns how
   * many there were. `endsItself`: it ends after three good readings of the account in a row; otherwise the user ends it.
   */
  async pauseFor(userId: string, exchange: string, pauseReason: string, endsItself = false): Promise<number> {
    const change = { isPaused: true, pauseReason, goodReads: endsItself ? 0 : null };
    const filter = { userId, exchange, $or: [{ isPaused: false }, { goodReads: { $gte: 0 } }] };
    return (await this.#collection.updateMany(filter, { $set: change })).matchedCount;
  }

  /** Counts a reading of an account for pauses that end by themselves, and returns how many it has ended. */
  async noteRead(userId: string, exchange: string, isGood: boolean): Promise<number> {
    const paused = { userId, exchange, goodReads: { $gte: 0 } };
    const change = isGood ? { $inc: { goodReads: 1 } } : { $set: { goodReads: 0 } };
    if ((await this.#collection.updateMany(paused, change)).matchedCount === 0) return 0;
    const over = { userId, exchange, goodReads: { $gte: readsToResume } };
    return (await this.#collection.updateMany(over, { $set: { isPaused: false, ...noReason } }))
      .modifiedCount;
  }

  /** The users with pauses on an exchange that end by themselves. */
  pausedUsers(exchange: string): Promise<string[]> {
    return this.#collection.distinct('userId', { exchange, goodReads: { $gte: 0 } });
  }

  /** Removes a subscription of a user; false if the user has none of that id. */
  async remove(userId: string, id: string): Promise<boolean> {
    return (await this.#collection.deleteOne({ _id: id, userId })).deletedCount === 1;
  }

  /** Removes all subscriptions of a user. */
  async removeAll(userId: string): Promise<void> {
    await this.#collection.deleteMany({ userId });
  }
}

/** A limit that is not stored is that of a new subscription, the safe one. */
const toSubscription = ({ _id, ...rest }: SubscriptionDocument): Subscription => ({
  ...defaultSettings,
  id: _id,
  ...rest,
});
