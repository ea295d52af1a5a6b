import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import type { SealedSecret } from './secret-box.js';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

/** A user's connection to an exchange by API key. */
export interface Connection {
  id: string;
  userId: string;
  /** The exchange's name in the EXCHANGES setting, which clients use. */
  exchange: string;
  /** Whether the key may trade. Every accepted key may read, and none may withdraw. */
  mayTrade: boolean;
  /** Why no orders can be placed for the account, as found on connecting; absent if they can. */
  objection?: string;
  /** The account, by the exchange's id in ccxt and its own id of the account; absent if it does not tell that. */
  venueAccount?: string;
  /** Since when signals may be executed on that account by this connection; null: another one did so when this was connected. */
  claimedAt?: Date | null;
  /** The API key, sealed by the secret box. */
  key: SealedSecret;
  createdAt: Date;
}

export type ConnectionDocument = Omit<Connection, 'id'> & { _id: string };

/** Why no signal is executed by a connection to an account on which another one executes signals. */
export const displacedReason =
  'another connection to this account of the exchange executes signals. If the account is yours, connect it again with takeover=true; if you did not make that connection, delete its API key at the exchange';

/** The context that a sealed key is bound to: it cannot be opened as part of another connection. */
export const keyContext = ({ id, userId }: Pick<Connection, 'id' | 'userId'>): string =>
  `connection:${userId}:${id}`;

/** The connections of users, at most one for each user and exchange. */
export class ConnectionRepository {
  readonly #collection: Collection<ConnectionDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'connections');
  }

  newId(): string {
    return randomUUID();
  }

  /** Adds a connection. Throws `already_exists` when the user has one to that exchange. */
  async add({ id, ...connection }: Connection): Promise<void> {
    try {
      await insertOnce(this.#collection, { _id: id, ...connection });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const message = `"${connection.exchange}" is connected already; remove that connection first`;
      throw new AppError('already_exists', message, { details: { field: 'exchange' } });
    }
  }

  /** The connections of a user, sorted by exchange name. */
  async ofUser(userId: string): Promise<Connection[]> {
    const found = await this.#collection.find({ userId }).sort({ exchange: 1 }).toArray();
    return found.map(toConnection);
  }

  /** The connections of several users, without an order. */
  async ofUsers(userIds: readonly string[]): Promise<Connection[]> {
    const found = await this.#collection.find({ userId: { $in: [...userIds] } }).toArray();
    return found.map(toConnection);
  }

  /** Users who are connected to an exchange with a key that may trade, at most so many. */
  async tradersOn(exchange: string, most: number): Promise<string[]> {
    const found = this.#collection
      .find({ exchange, mayTrade: true })
      .project<{ userId: string }>({ userId: 1 });
    return (await found.limit(most).toArray()).map(({ userId }) => userId);
  }

  /** The connections that may execute signals on an account of an exchange, or may again once later ones are gone. */
  async claimsOn(venueAccounts: readonly string[]): Promise<Connection[]> {
    if (venueAccounts.length === 0) return [];
    const claims = { venueAccount: { $in: [...venueAccounts] }, claimedAt: { $ne: null } };
    return (await this.#collection.find(claims).toArray()).map(toConnection);
  }

  /** Those of connections on whose accounts others execute signals: of several, the one that has claimed the account last. */
  async displaced(own: readonly Connection[]): Promise<Connection[]> {
    const claims = await this.claimsOn(own.flatMap(({ venueAccount }) => venueAccount ?? []));
    return own.filter(({ id, venueAccount, claimedAt }) =>
      claims.some(
        (other) =>
          other.id !== id &&
          other.venueAccount === venueAccount &&
          other.claimedAt!.getTime() > (claimedAt?.getTime() ?? 0),
      ),
    );
  }

  async find(userId: string, exchange: string): Promise<Connection | null> {
    const found = await this.#collection.findOne({ userId, exchange });
    return found && toConnection(found);
  }

  /** Replaces a sealed key by the same key sealed again, unless it has changed since it was read. */
  async reseal({ id, userId, key }: Connection, anew: SealedSecret): Promise<void> {
    const unchanged = { _id: id, userId, 'key.sealed': key.sealed };
    await this.#collection.updateOne(unchanged, { $set: { key: anew } });
  }

  /** Removes a connection and its key; with `id`, only the connection of that id. False if there is none. */
  async remove(userId: string, exchange: string, id?: string): Promise<boolean> {
    const ofId = id === undefined ? {} : { _id: id };
    const { deletedCount } = await this.#collection.deleteOne({ userId, exchange, ...ofId });
    return deletedCount === 1;
  }

  /** Removes all connections of a user. */
  async removeAll(userId: string): Promise<void> {
    await this.#collection.deleteMany({ userId });
  }
}

const toConnection = ({ _id, ...rest }: ConnectionDocument): Connection => ({ id: _id, ...rest });
