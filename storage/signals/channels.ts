import { ObjectId, type Collection, type Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { KeyedMutex } from '../process/keyed-mutex.js';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import { noDefaults, type Channel } from './channel.js';

type ChannelDocument = Omit<Channel, 'id'> & { _id: string };

export type NewChannel = Pick<Channel, 'partnerId' | 'name'> &
  Partial<Pick<Channel, 'description' | 'defaults'>>;

/** Channels that a partner may have, so that all channels fit into one list. */
export const mostChannels = 50;

/** The channels of partners. */
export class ChannelRepository {
  readonly #collection: Collection<ChannelDocument>;
  readonly #adding = new KeyedMutex();

  constructor(db: Db) {
    this.#collection = openCollection(db, 'channels');
  }

  /** Adds a channel. Throws `already_exists` when the partner has one of that name, and `invalid_input` for too many. */
  async add(channel: NewChannel): Promise<Channel> {
    // One after the other, so that each counts those before it.
    return this.#adding.run(channel.partnerId, () => this.#add(channel));
  }

  async #add({ partnerId, name, description = '', defaults = noDefaults }: NewChannel): Promise<Channel> {
    if ((await this.#collection.countDocuments({ partnerId }, { limit: mostChannels })) >= mostChannels)
      throw new AppError('invalid_input', `a partner may have ${mostChannels} channels`);
    const _id = new ObjectId().toHexString();
    const channel = { _id, partnerId, name, description, defaults, createdAt: new Date() };
    try {
      await insertOnce(this.#collection, channel);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError('already_exists', `the partner has a channel "${name}" already`, { cause: error });
    }
    return toChannel(channel);
  }

  /** The partner's oldest channel; null if it has none. */
  async first(partnerId: string): Promise<Channel | null> {
    const [found] = await this.#collection.find({ partnerId }).sort({ _id: 1 }).limit(1).toArray();
    return found ? toChannel(found) : null;
  }

  /** The partner's oldest channel. If there is none, one of that name is added. */
  async firstOf(partnerId: string, name: string): Promise<Channel> {
    const found = await this.first(partnerId);
    if (found) return found;
    try {
      return await this.add({ partnerId, name });
    } catch (error) {
      // Another process has added it first.
      if (error instanceof AppError && error.code === 'already_exists') return this.firstOf(partnerId, name);
      throw error;
    }
  }

  async find(id: string): Promise<Channel | null> {
    const found = await this.#collection.findOne({ _id: id });
    return found && toChannel(found);
  }

  /** The channel of a partner; null if the partner has none of that name. */
  async named(partnerId: string, name: string): Promise<Channel | null> {
    const found = await this.#collection.findOne({ partnerId, name });
    return found && toChannel(found);
  }

  async ofIds(ids: readonly string[]): Promise<Channel[]> {
    return (await this.#collection.find({ _id: { $in: [...ids] } }).toArray()).map(toChannel);
  }

  /** All channels, the oldest first. */
  async list(): Promise<Channel[]> {
    return (await this.#collection.find().sort({ _id: 1 }).toArray()).map(toChannel);
  }

  /** Changes what users read about a channel of a partner; null if the partner has none of that id. */
  async describe(partnerId: string, id: string, description: string): Promise<Channel | null> {
    const change = { $set: { description } };
    const found = await this.#collection.findOneAndUpdate({ _id: id, partnerId }, change, {
      returnDocument: 'after',
    });
    return found && toChannel(found);
  }

  /** Notes that an operator has resumed a channel. */
  async noteResumed(id: string): Promise<void> {
    await this.#collection.updateOne({ _id: id }, { $set: { resumedAt: new Date() } });
  }

  /** Removes the channels of a partner. */
  async removeAll(partnerId: string): Promise<void> {
    await this.#collection.deleteMany({ partnerId });
  }
}

const toChannel = ({ _id, ...rest }: ChannelDocument): Channel => ({ id: _id, ...rest });
