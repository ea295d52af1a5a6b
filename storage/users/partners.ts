import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ObjectId, type Collection, type Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import { isAllowedAddress } from './allowed-addresses.js';

/** A key of a partner, without its secret. */
export interface PartnerKey {
  key: string;
  createdAt: Date;
  /** When it was last accepted, to the minute; null before. */
  lastUsedAt: Date | null;
  /** IP addresses and networks that may use it; empty: all. */
  addresses: string[];
  /** The channel that its signals go to; null: the partner's first. */
  channelId: string | null;
}

/** A partner that sends signals. It may have several keys. */
export interface Partner {
  id: string;
  name: string;
  keys: PartnerKey[];
  createdAt: Date;
}

/** A key and its secret. Only the partner knows the secret. */
export interface PartnerCredentials {
  key: string;
  secret: string;
}

/** A partner, and the key that it has shown. */
export interface AdmittedPartner {
  partner: Partner;
  key: PartnerKey;
}

/** Keys of earlier versions lack the fields that came with the signals. */
type StoredKey = Pick<PartnerKey, 'key' | 'createdAt'> & Partial<PartnerKey> & { secretHash: string };

interface PartnerDocument {
  _id: ObjectId;
  name: string;
  keys: StoredKey[];
  createdAt: Date;
}

/** Keys that a partner may have, so that the list in its document stays short. */
export const mostKeys = 10;

const keyPattern = /^[0-9a-f]{32}$/;
const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** Looked up in place of a text that can be no key, so that the look-up takes the same time. */
const decoyKey = '0'.repeat(32);
/** Compared with when the key is unknown, so that the check takes the same time. */
const decoyHash = hashOf('').toString('base64url');

/** How often the last use of a key is stored. */
export const useStoredEveryMs = 60_000;

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
      await insertOnce(this.#collection, partner);
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

  /** Says who may use a key and where its signals go; false if no partner has it. */
  async bindKey(
    key: string,
    binding: Partial<Pick<PartnerKey, 'addresses' | 'channelId'>>,
  ): Promise<boolean> {
    const changes = Object.entries(binding).map(([name, value]) => [`keys.$.${name}`, value] as const);
    const { matchedCount } = await this.#collection.updateOne(
      { 'keys.key': key },
      { $set: Object.fromEntries(changes) },
    );
    return matchedCount === 1;
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

  /**
   * The partner with that key; null if the key is unknown, the secret is wrong, or the key may not be used from the address.
   * Each failure costs one look-up and one comparison, so that its time does not tell which it is.
   */
  async admit({ key, secret }: PartnerCredentials, address: string): Promise<AdmittedPartner | null> {
    const found = await this.#collection.findOne({ 'keys.key': keyPattern.test(key) ? key : decoyKey });
    const stored = found?.keys.find((each) => each.key === key);
    const matches = timingSafeEqual(
      hashOf(secret),
      Buffer.from(stored?.secretHash ?? decoyHash, 'base64url'),
    );
    if (!found || !stored || !matches) return null;
    const admitted = toKey(stored);
    return isAllowedAddress(admitted.addresses, address)
      ? { partner: toPartner(found), key: admitted }
      : null;
  }

  /** Notes that a key was accepted, at most once a minute, whichever processes accept it. */
  async noteUse(key: string, now = Date.now()): Promise<void> {
    const earlier = new Date(now - useStoredEveryMs);
    const isOld = { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: earlier } }] };
    await this.#collection.updateOne(
      { keys: { $elemMatch: { key, ...isOld } } },
      { $set: { 'keys.$.lastUsedAt': new Date(now) } },
    );
  }

  /** The partner of that name; null if there is none. */
  async named(name: string): Promise<Partner | null> {
    const found = await this.#collection.findOne({ name });
    return found && toPartner(found);
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

const toKey = ({ key, createdAt, lastUsedAt, addresses, channelId }: StoredKey): PartnerKey => ({
  key,
  createdAt,
  lastUsedAt: lastUsedAt ?? null,
  addresses: addresses ?? [],
  channelId: channelId ?? null,
});

const toPartner = ({ _id, name, keys, createdAt }: PartnerDocument): Partner => ({
  id: _id.toHexString(),
  name,
  keys: keys.map(toKey),
  createdAt,
});
