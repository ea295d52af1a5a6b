import { hash, randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { insertOnce } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type { TokenScope } from '../users/token-scopes.js';
import type { ChallengeMethod } from './grant-document.js';

/** What a client has asked for at /authorize, checked, until its user decides. */
export interface AuthorizationTransaction {
  clientId: string;
  clientName: string;
  redirectUri: string;
  /** Sent back to the client unchanged; null if it sent none. */
  state: string | null;
  challenge: string;
  challengeMethod: ChallengeMethod;
  scopes: TokenScope[];
  /** URL of the service that the tokens are for. */
  resource: string;
}

interface TransactionDocument extends AuthorizationTransaction {
  /** SHA-256 of the id that the page carries. */
  _id: string;
  /** SHA-256 of the secret in the cookie of the browser. */
  browserKey: string;
  expiresAt: Date;
}

const lifetimeMs = 600_000;

/** Requests for authorization that wait for the decision of a user, each bound to one browser. */
export class AuthorizationTransactionRepository {
  readonly #collection: Collection<TransactionDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'oauth_transactions');
  }

  /** Stores a request for 10 minutes and returns its id, which only the page knows. `browser` is the secret of its cookie. */
  async begin(asked: AuthorizationTransaction, browser: string, now = Date.now()): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now + lifetimeMs);
    const document = { ...asked, _id: digest(id), browserKey: digest(browser), expiresAt };
    await insertOnce(this.#collection, document);
    return id;
  }

  /** The request of that page in that browser; null if it is unknown, expired, decided or another browser's. */
  async find(id: string, browser: string, now = Date.now()): Promise<AuthorizationTransaction | null> {
    const found = await this.#collection.findOne(idFilter(id, browser, now));
    return found && toTransaction(found);
  }

  /** As `find`, and ends the request: of several decisions at the same time one gets it. */
  async take(id: string, browser: string, now = Date.now()): Promise<AuthorizationTransaction | null> {
    const found = await this.#collection.findOneAndDelete(idFilter(id, browser, now));
    return found && toTransaction(found);
  }
}

const digest = (secret: string): string => hash('sha256', secret, 'base64url');

const idFilter = (id: string, browser: string, now: number) => ({
  _id: digest(id),
  browserKey: digest(browser),
  expiresAt: { $gt: new Date(now) },
});

const toTransaction = (found: TransactionDocument): AuthorizationTransaction => {
  const { _id, browserKey: _browser, expiresAt: _expires, ...asked } = found;
  return asked;
};
