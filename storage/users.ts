import { ObjectId, MongoServerError, type Collection, type Db } from 'mongodb';
import { AppError } from '../compute/model/errors.js';

export const plans = ['free', 'plus', 'pro'] as const;

export type Plan = (typeof plans)[number];

export interface User {
  id: string;
  email: string;
  plan: Plan;
  /** May see and steer the cluster. */
  operator: boolean;
  /** argon2id, in its encoded form. */
  passwordHash: string;
  createdAt: Date;
}

interface UserDocument {
  _id: ObjectId;
  email: string;
  plan: Plan;
  /** Absent in documents of before there were operators. */
  operator?: boolean;
  passwordHash: string;
  createdAt: Date;
}

/** What a user is made of. */
export type NewUser = Pick<User, 'email' | 'plan' | 'passwordHash'> & Partial<Pick<User, 'operator'>>;

/** E-mail addresses are compared without regard to case. */
const normalise = (email: string) => email.toLowerCase();

/** The people who may sign in. */
export class UserRepository {
  readonly #collection: Collection<UserDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('users');
  }

  /** Adds a user. Throws `already_exists` when the e-mail has an account. */
  async add({ email, plan, passwordHash, operator = false }: NewUser): Promise<User> {
    const document = {
      _id: new ObjectId(),
      email: normalise(email),
      plan,
      operator,
      passwordHash,
      createdAt: new Date(),
    };
    try {
      await this.#collection.insertOne(document);
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === 11000)) throw error;
      throw new AppError('already_exists', `user "${document.email}" exists already`, { cause: error });
    }
    return toUser(document);
  }

  async byEmail(email: string): Promise<User | null> {
    const document = await this.#collection.findOne({ email: normalise(email) });
    return document && toUser(document);
  }

  /** The user of that id; null if there is none. */
  async byId(id: string): Promise<User | null> {
    if (!ObjectId.isValid(id)) return null;
    const document = await this.#collection.findOne({ _id: new ObjectId(id) });
    return document && toUser(document);
  }

  /** Gives the user of that e-mail another password; false if there is none. */
  async setPassword(email: string, passwordHash: string): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { email: normalise(email) },
      { $set: { passwordHash } },
    );
    return matchedCount === 1;
  }

  /** Makes the user of that e-mail an operator, or not any more. */
  async setOperator(email: string, operator: boolean): Promise<void> {
    await this.#collection.updateOne({ email: normalise(email) }, { $set: { operator } });
  }
}

const toUser = ({ _id, operator = false, ...rest }: UserDocument): User => ({
  id: _id.toHexString(),
  operator,
  ...rest,
});
