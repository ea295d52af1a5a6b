import { ObjectId, type Collection, type Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { normaliseEmail } from './email.js';
import type { AnnounceRevoked } from './revoked.js';
import { isDuplicate } from '../servers/mongo.js';

export const plans = ['free', 'plus', 'pro'] as const;

export type Plan = (typeof plans)[number];

export interface User {
  id: string;
  email: string;
  plan: Plan;
  /** May see and steer the cluster. */
  operator: boolean;
  /** argon2id, in its encoded form; null where only an identity provider signs in. */
  passwordHash: string | null;
  /** Whether the e-mail is known to be the user's: an operator or an identity provider said so. */
  emailVerified: boolean;
  createdAt: Date;
}

interface UserDocument {
  _id: ObjectId;
  email: string;
  plan: Plan;
  /** Absent in documents of before there were operators. */
  operator?: boolean;
  passwordHash: string | null;
  /** Absent in documents of before there was signing up: operators made them all. */
  emailVerified?: boolean;
  createdAt: Date;
}

/** What a user is made of. */
export type NewUser = Pick<User, 'email' | 'plan' | 'passwordHash'> &
  Partial<Pick<User, 'operator' | 'emailVerified'>>;

/** The people who may sign in. */
export class UserRepository {
  readonly #collection: Collection<UserDocument>;
  readonly #announce: AnnounceRevoked;

  /** `announce` tells the gateways, which keep signed-in users in memory, that one has changed. */
  constructor(db: Db, announce: AnnounceRevoked = async () => undefined) {
    this.#collection = db.collection('users');
    this.#announce = announce;
  }

  /** Adds a user. Throws `already_exists` when the e-mail has an account. */
  async add(user: NewUser): Promise<User> {
    const document = {
      _id: new ObjectId(),
      operator: false,
      emailVerified: true,
      ...user,
      email: normaliseEmail(user.email),
      createdAt: new Date(),
    };
    try {
      await this.#collection.insertOne(document);
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
    const document = await this.#collection.findOne({ email: normaliseEmail(email) });
    return document && toUser(document);
  }

  /** The user of that id; null if there is none. */
  async byId(id: string): Promise<User | null> {
    if (!ObjectId.isValid(id)) return null;
    const document = await this.#collection.findOne({ _id: new ObjectId(id) });
    return document && toUser(document);
  }

  /** Every user, by e-mail. */
  async list(): Promise<User[]> {
    const documents = await this.#collection.find().sort({ email: 1 }).toArray();
    return documents.map(toUser);
  }

  /**
   * Gives a user another password; false if there is no such user, or if the password is no longer `was`. What the old
   * one has opened stays open: see `endAccess`.
   */
  setPassword(id: string, passwordHash: string, was?: string | null): Promise<boolean> {
    return this.#change(id, { passwordHash }, was === undefined ? {} : { passwordHash: was });
  }

  /** Moves a user to another plan; false if there is no such user. */
  setPlan(id: string, plan: Plan): Promise<boolean> {
    return this.#change(id, { plan });
  }

  /** Makes a user an operator, or one no longer; false if there is no such user. */
  setOperator(id: string, operator: boolean): Promise<boolean> {
    return this.#change(id, { operator });
  }

  /**
   * Gives an account to the one who has proved that the e-mail is theirs: a password that was set without that proof is
   * somebody else's, maybe. False if the e-mail was proved before.
   */
  claim(id: string): Promise<boolean> {
    return this.#change(id, { emailVerified: true, passwordHash: null }, { emailVerified: false });
  }

  /** Removes a user; false if there is none. What the user has besides stays: see `removeUser`. */
  async remove(id: string): Promise<boolean> {
    const { deletedCount } = await this.#collection.deleteOne({ _id: new ObjectId(id) });
    await this.#announce({ users: [id] });
    return deletedCount === 1;
  }

  /** Changes the user if it is still as `expected`. */
  async #change(
    id: string,
    change: Partial<UserDocument>,
    expected: Partial<UserDocument> = {},
  ): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { ...expected, _id: new ObjectId(id) },
      { $set: change },
    );
    await this.#announce({ users: [id] });
    return matchedCount === 1;
  }
}

const toUser = ({ _id, operator = false, emailVerified = true, ...rest }: UserDocument): User => ({
  id: _id.toHexString(),
  operator,
  emailVerified,
  ...rest,
});
