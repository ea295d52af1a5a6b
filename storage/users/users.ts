import { ObjectId, type Collection, type Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { normaliseEmail } from './email.js';
import type { AnnounceRevoked } from './revoked.js';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

export const plans = ['free', 'plus', 'pro'] as const;

export type Plan = (typeof plans)[number];

export interface User {
  id: string;
  email: string;
  plan: Plan;
  /** May see and control the cluster. */
  operator: boolean;
  /** argon2id, encoded; null if the user signs in only through an identity provider. */
  passwordHash: string | null;
  /** When an operator or an identity provider has confirmed that the e-mail is the user's; null if none has. */
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

interface UserDocument extends Omit<User, 'id'> {
  _id: ObjectId;
  /** Whether the content of the demo market was made for the user; absent: it was not. */
  hasDemoContent?: boolean;
  /** When the removal of the user began; they have no access from then on. Absent otherwise. */
  removedAt?: Date;
}

/** Selects users who are not being removed. */
const present = { removedAt: { $exists: false } };

/** What is given to add a user. The e-mail counts as verified unless `emailVerified` is false, as at sign-up. */
export type NewUser = Pick<User, 'email' | 'plan' | 'passwordHash'> &
  Partial<Pick<User, 'operator'>> & { emailVerified?: boolean };

/** The users of the service. */
export class UserRepository {
  readonly #collection: Collection<UserDocument>;
  readonly #announce: AnnounceRevoked;

  /** `announce` tells the gateways, which cache signed-in users, that one has changed. */
  constructor(db: Db, announce: AnnounceRevoked = async () => undefined) {
    this.#collection = openCollection(db, 'users');
    this.#announce = announce;
  }

  /** Adds a user. Throws `already_exists` when the e-mail has an account. */
  async add({ emailVerified = true, ...user }: NewUser): Promise<User> {
    const now = new Date();
    const document = {
      _id: new ObjectId(),
      operator: false,
      ...user,
      emailVerifiedAt: emailVerified ? now : null,
      email: normaliseEmail(user.email),
      createdAt: now,
    };
    try {
      await insertOnce(this.#collection, document);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError('already_exists', `user "${document.email}" exists already`, {
        details: { field: 'email' },
        cause: error,
      });
    }
    return toUser(document);
  }

  async byEmail(email: string): Promise<User | null> {
    const document = await this.#collection.findOne({ email: normaliseEmail(email), ...present });
    return document && toUser(document);
  }

  /** The user of that id; null if there is none. */
  async byId(id: string): Promise<User | null> {
    if (!ObjectId.isValid(id)) return null;
    const document = await this.#collection.findOne({ _id: new ObjectId(id), ...present });
    return document && toUser(document);
  }

  /** All users, sorted by e-mail. */
  async list(): Promise<User[]> {
    const documents = await this.#collection.find(present).sort({ email: 1 }).toArray();
    return documents.map(toUser);
  }

  /**
   * Sets the password; false if there is no such user, or if `was` is given and the stored hash differs from it. Sessions
   * stay open: see `endAccess`.
   */
  setPassword(id: string, passwordHash: string, was?: string | null): Promise<boolean> {
    return this.#change(id, { passwordHash }, was === undefined ? {} : { passwordHash: was });
  }

  /** Sets the plan; false if there is no such user. */
  setPlan(id: string, plan: Plan): Promise<boolean> {
    return this.#change(id, { plan });
  }

  /** Whether the content of the demo market was made for a user, who may have removed it since. */
  async hasDemoContent(id: string): Promise<boolean> {
    return (await this.#collection.findOne({ _id: new ObjectId(id) }))?.hasDemoContent === true;
  }

  /** Notes that the content of the demo market was made for a user; false if there is no such user. */
  noteDemoContent(id: string): Promise<boolean> {
    return this.#change(id, { hasDemoContent: true });
  }

  async operators(): Promise<User[]> {
    return (await this.#collection.find({ ...present, operator: true }).toArray()).map(toUser);
  }

  /** Gives or takes the operator role; false if there is no such user. */
  setOperator(id: string, operator: boolean): Promise<boolean> {
    return this.#change(id, { operator });
  }

  /** Marks the e-mail as confirmed or not; false if there is no such user. */
  setEmailVerified(id: string, emailVerified: boolean): Promise<boolean> {
    return this.#change(id, { emailVerifiedAt: emailVerified ? new Date() : null });
  }

  /** Marks the e-mail as confirmed by its owner; false if there is no such user, or if their e-mail is another one by now. */
  async confirmEmail(id: string, email: string): Promise<boolean> {
    const confirmed = { emailVerifiedAt: new Date() };
    if (await this.#change(id, confirmed, { email, emailVerifiedAt: null })) return true;
    return (await this.byId(id))?.email === email;
  }

  /**
   * Deletes the password of an account whose e-mail is not confirmed, which ends sign-ins with it. False if the e-mail is
   * confirmed.
   */
  dropPassword(id: string): Promise<boolean> {
    return this.#change(id, { passwordHash: null }, { emailVerifiedAt: null });
  }

  /**
   * Notes that the user is being removed, which ends their access; false if there is no such user. From then on only
   * `removing`, `toRemove` and `existing` know the user. For the rest see `removeUser`.
   */
  async beginRemoval(id: string): Promise<boolean> {
    if (!ObjectId.isValid(id)) return false;
    const { matchedCount } = await this.#collection.updateOne({ _id: new ObjectId(id) }, [
      { $set: { removedAt: { $ifNull: ['$removedAt', new Date()] } } },
    ]);
    await this.#announce({ users: [id] });
    return matchedCount === 1;
  }

  /** The user of the e-mail to remove, even one whose removal has begun and was cut off; null if there is none. */
  async toRemove(email: string): Promise<(Pick<User, 'id' | 'email'> & { hasBegun: boolean }) | null> {
    const found = await this.#collection.findOne({ email: normaliseEmail(email) });
    if (!found) return null;
    return { id: found._id.toHexString(), email: found.email, hasBegun: 'removedAt' in found };
  }

  /** Users whose removal has begun and has not ended. */
  async removing(): Promise<Pick<User, 'id' | 'email'>[]> {
    const found = await this.#collection.find({ removedAt: { $exists: true } }).toArray();
    return found.map(({ _id, email }) => ({ id: _id.toHexString(), email }));
  }

  /** Those of the ids that belong to a user, also to one who is being removed. */
  async existing(ids: readonly string[]): Promise<Set<string>> {
    const valid = ids.filter((id) => ObjectId.isValid(id)).map((id) => new ObjectId(id));
    const found = await this.#collection.find({ _id: { $in: valid } }, { projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }

  /** Removes the user document alone; false if there is none. For the rest see `removeUser`. */
  async remove(id: string): Promise<boolean> {
    if (!ObjectId.isValid(id)) return false;
    const { deletedCount } = await this.#collection.deleteOne({ _id: new ObjectId(id) });
    await this.#announce({ users: [id] });
    return deletedCount === 1;
  }

  /** Changes the user if its fields still equal `expected`; false if not. */
  async #change(
    id: string,
    change: Partial<UserDocument>,
    expected: Partial<UserDocument> = {},
  ): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { ...expected, ...present, _id: new ObjectId(id) },
      { $set: change },
    );
    await this.#announce({ users: [id] });
    return matchedCount === 1;
  }
}

const toUser = ({ _id, hasDemoContent: _has, removedAt: _at, ...user }: UserDocument): User => ({
  id: _id.toHexString(),
  ...user,
});
