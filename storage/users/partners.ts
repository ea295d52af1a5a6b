import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ObjectId, type Collection, type Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import type { SealedSecret, SecretBox } from '../accounts/secret-box.js';
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

/** A user who acts for a partner with their own session. */
export interface PartnerMember {
  userId: string;
  since: Date;
}

/** A key and its secret. Only the partner knows the secret. */
export interface PartnerCredentials {
  key: string;
  secret: string;
}

/** A key, and a request that was signed instead of sending the secret. */
export interface SignedKey {
  key: string;
  /** Whether the request is signed with that secret; false for null, after the same time. */
  isSignedWith: (secret: string | null) => boolean;
}

/** A partner, and the key that it has shown. */
export interface AdmittedPartner {
  partner: Partner;
  key: PartnerKey;
}

/** Fields that were never set are absent. */
type StoredKey = Pick<PartnerKey, 'key' | 'createdAt'> &
  Partial<PartnerKey> & {
    secretHash: string;
    /** Opened to verify signatures. A key without it cannot sign. */
    sealedSecret?: SealedSecret;
  };

interface PartnerDocument {
  _id: ObjectId;
  name: string;
  keys: StoredKey[];
  createdAt: Date;
  /** The users who act for it in a browser; absent before the first. */
  members?: PartnerMember[];
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

/** Partners and their keys. A secret is 256 random bits; its SHA-256 is stored, and the secret itself only encrypted. */
export class PartnerRepository {
  readonly #collection: Collection<PartnerDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'partners');
  }

  /** Adds a partner with a first key. Throws `already_exists` when the name is taken. */
  async add(name: string, box: SecretBox): Promise<PartnerCredentials> {
    const { credentials, stored } = newKey(box);
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
  async addKey(name: string, box: SecretBox): Promise<PartnerCredentials | 'unknown' | 'full'> {
    const { credentials, stored } = newKey(box);
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
  admit({ key, secret }: PartnerCredentials, address: string): Promise<AdmittedPartner | null> {
    return this.#admit(key, address, (stored) =>
      timingSafeEqual(hashOf(secret), Buffer.from(stored?.secretHash ?? decoyHash, 'base64url')),
    );
  }

  /**
   * The partner whose key has signed a request; null as for `admit`, and if the key cannot sign. Throws `secret_unreadable` if the
   * box does not hold the key that the secret was encrypted with.
   */
  async admitSigned(
    { key, isSignedWith }: SignedKey,
    address: string,
    box: SecretBox,
  ): Promise<AdmittedPartner | null> {
    let outdated: string | null = null as string | null;
    const admitted = await this.#admit(key, address, (stored) => {
      const sealed = stored?.sealedSecret;
      const secret = sealed ? box.open(sealed, partnerKeyContext(key)) : null;
      if (sealed && box.isOutdated(sealed)) outdated = secret;
      return isSignedWith(secret);
    });
    if (admitted && outdated !== null) {
      const sealedSecret = box.seal(outdated, partnerKeyContext(key));
      await this.#collection.updateOne(
        { 'keys.key': key },
        { $set: { 'keys.$.sealedSecret': sealedSecret } },
      );
    }
    return admitted;
  }

  async #admit(
    key: string,
    address: string,
    isProven: (stored: StoredKey | undefined) => boolean,
  ): Promise<AdmittedPartner | null> {
    const found = await this.#collection.findOne({ 'keys.key': keyPattern.test(key) ? key : decoyKey });
    const stored = found?.keys.find((each) => each.key === key);
    const matches = isProven(stored);
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

  /** Lets a user act for the partner of that name; twice is once. Throws `already_exists` for a user who acts for another partner. */
  async addMember(name: string, userId: string, now = new Date()): Promise<void> {
    const filter = { name, 'members.userId': { $ne: userId } };
    try {
      await this.#collection.updateOne(filter, { $push: { members: { userId, since: now } } });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError('already_exists', 'the user acts for another partner already', { cause: error });
    }
  }

  /** Ends that a user acts for a partner; false if the user acts for none, or for another than that of the name. */
  async removeMember(userId: string, name?: string): Promise<boolean> {
    const ofName = name === undefined ? {} : { name };
    const filter = { 'members.userId': userId, ...ofName };
    const { matchedCount } = await this.#collection.updateOne(filter, { $pull: { members: { userId } } });
    return matchedCount === 1;
  }

  /** The partner that a user acts for; null if there is none. */
  async ofMember(userId: string): Promise<Partner | null> {
    const found = await this.#collection.findOne({ 'members.userId': userId });
    return found && toPartner(found);
  }

  async members(name: string): Promise<PartnerMember[]> {
    return (await this.#collection.findOne({ name }))?.members ?? [];
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

/** What the sealed secret of a key is bound to. */
export const partnerKeyContext = (key: string) => `partner key ${key}`;

function newKey(box: SecretBox) {
  const credentials = {
    key: randomBytes(16).toString('hex'),
    secret: randomBytes(32).toString('base64url'),
  };
  const { key, secret } = credentials;
  const stored = {
    key,
    secretHash: hashOf(secret).toString('base64url'),
    sealedSecret: box.seal(secret, partnerKeyContext(key)),
    createdAt: new Date(),
  };
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
