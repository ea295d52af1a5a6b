import type { Exchange } from 'ccxt';
import { LRUCache } from 'lru-cache';
import type { AppError } from '../../../compute/model/errors.js';
import type { Connection, ConnectionRepository } from '../../accounts/connections.js';
import { batchedCalls } from '../../process/batched-calls.js';
import { SharedCalls } from '../../process/shared-calls.js';
import type { OpenExchanges } from '../open-exchanges.js';
import type { Urgency } from '../request-limit.js';
import type { Venue } from '../venue.js';
import { LiveAccount } from './live-account.js';

/** How many accounts are kept open, 0.2 MB each, and for how long. Opening an account reads again what its key may do. */
const mostOpen = 1_000;
const openMs = 86_400_000;
/** How long an objection to a key is kept: the owner may correct on the exchange what the key may do. */
const defaultObjectionMs = 60_000;
/** The same where the exchange did not say what the key may do: entries wait for the next answer. */
const silenceMs = 1_000;

export interface LiveAccountsOptions {
  /** The name of the exchange in the setting EXCHANGES. */
  name: string;
  venue: Venue;
  exchanges: OpenExchanges;
  connections: Pick<ConnectionRepository, 'ofUsers' | 'reseal'>;
  /** A client with the markets on which the venue trades. */
  markets: () => Promise<Exchange>;
  /** How long an account whose key may not open positions is kept open. Default: 1 min. */
  objectionMs?: number;
}

/** An account; `objection` says why its key may not open positions, or that this cannot be read now; null if it may. */
export interface OpenedAccount {
  account: LiveAccount;
  objection: AppError | null;
}

/** The accounts of users on one exchange, opened with the keys that they have stored. */
export class LiveAccounts {
  readonly #options: LiveAccountsOptions;
  readonly #open = new LRUCache<string, OpenedAccount>({ max: mostOpen, ttl: openMs });
  readonly #opening = new SharedCalls<OpenedAccount>();

  /** The connection of a user. Each request asks for it anew: a key that was taken away is used no more. */
  readonly #connectionOf: (userId: string) => Promise<Connection | undefined>;

  constructor(options: LiveAccountsOptions) {
    this.#options = options;
    const { connections, name } = options;
    this.#connectionOf = batchedCalls({
      async send(userIds: string[]) {
        const found = (await connections.ofUsers(userIds)).filter(({ exchange }) => exchange === name);
        return userIds.map((id) => found.find(({ userId }) => userId === id));
      },
    });
  }

  /**
   * The account of a user; null without a connection. Throws `exchange_refused`. It is opened as urgently as what it is needed for; what
   * protects a position does not wait for an account that is opened again.
   */
  async of(userId: string, urgency: Urgency = 'decide'): Promise<OpenedAccount | null> {
    const connection = await this.#connectionOf(userId);
    if (!connection) return null;
    const key = `${connection.id} ${connection.key.sealed}`;
    const isOld = this.#open.getRemainingTTL(key) <= 0;
    const known = this.#open.get(key, { allowStale: true, noDeleteOnStaleGet: true });
    if (known && !isOld) return known;
    const opening = this.#opening.run(`${urgency} ${key}`, () => this.#openAnew(connection, key, urgency));
    if (!known || urgency !== 'protect') return opening;
    opening.catch(() => undefined);
    return known;
  }

  async #openAnew(connection: Connection, key: string, urgency: Urgency): Promise<OpenedAccount> {
    const { name, venue, exchanges, connections, markets, objectionMs = defaultObjectionMs } = this.#options;
    const account = await LiveAccount.open({
      guard: await exchanges.guard(name),
      venue,
      key: await exchanges.keyOf(connection, connections),
      markets: await markets(),
    });
    const opened = { account, objection: await account.as(urgency).ready() };
    const { objection } = opened;
    const isSilence = objection?.code === 'exchange_unavailable';
    this.#open.set(key, opened, { ttl: objection === null ? openMs : isSilence ? silenceMs : objectionMs });
    return opened;
  }
}
