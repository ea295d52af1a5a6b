import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ObjectId, type Collection, type Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

/** A partner that sends signals. It may have several keys. */
export interface Partner {
  id: string;
  name: string;
  keys: { key: string; createdAt: Date }[];
  createdAt: Date;
}

/** A key and its secret. Only the partner knows the secret. */
export interface PartnerCredentials {
  key: string;
  secret: string;
}

interface PartnerDocument {
  _id: ObjectId;
  name: string;
  keys: { key: string; secretHash: string; createdAt: Date }[];
  createdAt: Date;
}

/** Keys that a partner may have, so that the list in its document stays short. */
export const mostKeys = 10;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** Compared with when the key is unknown, so that the check takes the same time. */
const decoyHash = hashOf('').toString('base64url');

/** Partners and their keys. A secret is 256 random bits; only its SHA-256 is stored. */
export class PartnerRepository {
  readonly #collection: Collection<PartnerDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'partners');
  }

  /** Adds a partner with a first key. Throws `already_exists` when the name is taken. */
  async add(name: string): Promise<PartnerCredentials> {
    const { credentials, stored } = newKey();
    const partner = { _id: new ObjectId(), name, keys: [stored], createdAt: new Date() };
    try {
      await this.#collection.insertOne(partner);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError('already_exists', `partner "${name}" exists already`, { cause: error });
    }
    return credentials;
  }

  /** Adds a key, so that the old one can be revoked later; says why if there is no such partner or it has 10 keys. */
  async addKey(name: string): Promise<PartnerCredentials | 'unknown' | 'full'> {
    const { credentials, stored } = newKey();
    const hasRoom = { name, [`keys.${mostKeys - 1}`]: { $exists: false } };
    const { matchedCount } = await this.#collection.updateOne(hasRoom, { $push: { keys: stored } });
    if (matchedCount === 1) return credentials;
    return (await this.#collection.findOne({ name })) ? 'full' : 'unknown';
  }

  /** Removes a key; false if no partner has it. */
  async revokeKey(key: string): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { 'keys.key': key },
      { $pull: { keys: { key } } },
    );
    return matchedCount === 1;
  }

  /** Removes a partner with all keys; false if there is no such partner. */
  async remove(name: string): Promise<boolean> {
    const { deletedCount } = await this.#collection.deleteOne({ name });
    return deletedCount === 1;
  }

  /** The partner with that key; null if the key is unknown or the secret is wrong. */
  async find({ key, secret }: PartnerCredentials): Promise<Partner | null> {
    const found = await this.#collection.findOne({ 'keys.key': key });
    const stored = found?.keys.find((each) => each.key === key)?.secretHash ?? decoyHash;
    const matches = timingSafeEqual(hashOf(secret), Buffer.from(stored, 'base64url'));
    return found && matches ? toPartner(found) : null;
  }

  /** Every partner, by name. */
  async list(): Promise<Partner[]> {
    return (await this.#collection.find().sort({ name: 1 }).toArray()).map(toPartner);
  }
}

function newKey() {
  const credentials = {
    key: randomBytes(16).toString('hex'),
    secret: randomBytes(32).toString('base64url'),
  };
  const { key, secret } = credentials;
  const stored = { key, secretHash: hashOf(secret).toString('base64url'), createdAt: new Date() };
  return { credentials, stored };
}

const toPartner = ({ _id, name, keys, createdAt }: PartnerDocument): Partner => ({
  id: _id.toHexString(),
  name,
  keys: keys.map(({ key, createdAt: made }) => ({ key, createdAt: made })),
  createdAt,
});
