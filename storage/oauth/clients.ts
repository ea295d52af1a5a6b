import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { insertOnce } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

/** A client that has registered itself (RFC 7591). It has no secret. */
export interface OauthClient {
  clientId: string;
  /** As it names itself; at most 100 characters, none of which control the text around it. */
  name: string;
  redirectUris: string[];
  createdAt: Date;
  /** When it was last given tokens for a new grant; null before. */
  lastUsedAt: Date | null;
}

type ClientDocument = Omit<OauthClient, 'clientId'> & { _id: string };

const longestName = 100;

/** Clients that have registered themselves. */
export class OauthClientRepository {
  readonly #collection: Collection<ClientDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'oauth_clients');
  }

  /** Registers a client under a new id of 128 random bits. */
  async add(given: Pick<OauthClient, 'name' | 'redirectUris'>, now = Date.now()): Promise<OauthClient> {
    const client: OauthClient = {
      clientId: `client_${randomBytes(16).toString('base64url')}`,
      name: clientNameOf(given.name),
      redirectUris: given.redirectUris,
      createdAt: new Date(now),
      lastUsedAt: null,
    };
    const { clientId, ...rest } = client;
    await insertOnce(this.#collection, { _id: clientId, ...rest });
    return client;
  }

  /** The client of that id; null if none is registered under it. */
  async find(clientId: string): Promise<OauthClient | null> {
    const found = await this.#collection.findOne({ _id: clientId });
    if (!found) return null;
    const { _id, ...rest } = found;
    return { clientId: _id, ...rest };
  }

  /** Notes that a user has connected the client. Nothing happens if it is not registered. */
  async noteUse(clientId: string, now = Date.now()): Promise<void> {
    await this.#collection.updateOne({ _id: clientId }, { $set: { lastUsedAt: new Date(now) } });
  }

  /** Deletes clients registered before that time that no user has ever connected, and returns how many. */
  async dropUnused(before: Date): Promise<number> {
    return (await this.#collection.deleteMany({ lastUsedAt: null, createdAt: { $lt: before } })).deletedCount;
  }
}

/**
 * A name as it can be shown beside other text: without characters that control or reverse it, and without quotation marks, so that
 * it can't end its quotation and go on in the words of the page; on one line, at most 100 characters; "unnamed app" where nothing
 * is left.
 */
export function clientNameOf(text: string): string {
  const plain = text
    .normalize('NFC')
    // The last ones are letters and a sign that show as nothing: the Hangul fillers and the empty Braille pattern.
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u115F\u1160\u3164\uFFA0\u2800]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .replace(/[\p{Pi}\p{Pf}"„‚〝〞〟＂]/gu, "'")
    // More marks above a letter reach into the lines around it.
    .replace(/(\p{M}{3})\p{M}+/gu, '$1');
  const cut = Array.from(plain.trim()).slice(0, longestName).join('').trim();
  return cut === '' ? 'unnamed app' : cut;
}
