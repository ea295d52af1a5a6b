import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import type { SealedSecret } from './secret-box.js';
import { isDuplicate } from '../servers/mongo.js';

/** An exchange that a user has connected with an API key. */
export interface Connection {
  id: string;
  userId: string;
  /** The name by which clients know the exchange. */
  exchange: string;
  /** Whether the key may trade; every key may read, none may withdraw. */
  mayTrade: boolean;
  /** The key, for who holds the keys of the secret box and nobody else. */
  key: SealedSecret;
  createdAt: Date;
}

type ConnectionDocument = Omit<Connection, 'id'> & { _id: string };

/** What a sealed key is bound to: in another user's connection it cannot be opened. */
export const keyContext = ({ id, userId }: Pick<Connection, 'id' | 'userId'>): string =>
  `connection:${userId}:${id}`;

/** The exchanges that users have connected, one connection for each exchange and user. */
export class ConnectionRepository {
  readonly #collection: Collection<ConnectionDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('connections');
  }

  /** An id for a connection that is to be made. */
  newId(): string {
    return randomUUID();
  }

  /** Adds a connection. Throws `already_exists` when the user has one to that exchange. */
  async add({ id, ...connection }: Connection): Promise<void> {
    try {
      await this.#collection.insertOne({ _id: id, ...connection });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const message = `"${connection.exchange}" is connected already; remove that connection first`;
      throw new AppError('already_exists', message, { details: { field: 'exchange' } });
    }
  }

  /** The connections of a user, in the order of the exchanges' names. */
  async ofUser(userId: string): Promise<Connection[]> {
    const found = await this.#collection.find({ userId }).sort({ exchange: 1 }).toArray();
    return found.map(toConnection);
  }

  async find(userId: string, exchange: string): Promise<Connection | null> {
    const found = await this.#collection.findOne({ userId, exchange });
    return found && toConnection(found);
  }

  /** Puts a key that was sealed anew in the place of the one it was read as. */
  async reseal({ id, userId, key }: Connection, anew: SealedSecret): Promise<void> {
    const unchanged = { _id: id, userId, 'key.sealed': key.sealed };
    await this.#collection.updateOne(unchanged, { $set: { key: anew } });
  }

  /** Forgets a connection and its key; false if there is none. */
  async remove(userId: string, exchange: string): Promise<boolean> {
    const { deletedCount } = await this.#collection.deleteOne({ userId, exchange });
    return deletedCount === 1;
  }

  /** Forgets everything a user has connected. */
  async removeAll(userId: string): Promise<void> {
    await this.#collection.deleteMany({ userId });
  }
}

const toConnection = ({ _id, ...rest }: ConnectionDocument): Connection => ({ id: _id, ...rest });
