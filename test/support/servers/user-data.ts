import type { Db } from 'mongodb';
import { rowOf } from '../../../storage/exchanges/paper/paper-rows.js';
import { paperOrder } from '../paper/paper-cases.js';
import { freshMargin } from '../../../storage/exchanges/paper/margin/margin-states.js';
import { newAccount } from '../../../storage/accounts/accounts.js';
import type { Storage } from '../../../storage/index.js';
import type { StoredLedgerEntry } from '../../../storage/ledger/ledger-entries.js';
import { makeStoredExecution } from '../signals/make-stored-execution.js';
import { bookedTrade } from '../signals/booked-trade.js';
import { equitySnapshot } from '../signals/equity-snapshot.js';
import { newGrant } from '../oauth/new-grant.js';
import { newSubscription } from '../signals/new-subscription.js';
import { numberedBacktest } from '../backtests/numbered-backtests.js';
import type { User } from '../../../storage/users/users.js';

let users = 0;
const sealed = { keyId: 'x', sealed: 'x' };

/** A user with two sessions, a token, a connected app, a link in a mail, an identity, an audit event, a backtest, a conversation, a subscription, an execution, an order of unknown origin, a trade, a paper order, a paper margin account, a connected exchange, its account, positions, a line of a ledger and equity. */
export async function userWithData(storage: Storage): Promise<User> {
  const email = `user${++users}@example.com`;
  const user = await storage.users.add({ email, plan: 'free', passwordHash: 'hash' });
  for (const client of ['web', 'ios'] as const) await storage.sessions.open(user.id, client);
  await storage.personalTokens.add({
    userId: user.id,
    name: 'laptop',
    scopes: ['read:portfolio'],
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  const code = await storage.grants.consent(newGrant({ userId: user.id }));
  const tokens = await storage.grantTokens.exchange(code);
  await storage.grantTokens.refresh(tokens!.refresh, ['read:analysis']);
  await storage.mails.ask('verify', email);
  const mail = await storage.mails.takeDue(Date.now(), 1);
  await storage.mails.issueLink(mail!, user.id);
  await storage.identities.link({ issuer: 'https://id.example', subject: email }, user.id);
  const event = { userId: user.id, event: 'sign_in' } as const;
  await storage.auditEvents.add([
    { ...event, id: user.id, at: new Date(), address: null, client: null, details: {} },
  ]);
  await storage.auditEvents.count({ ...event, hour: new Date(0) }, 1, 'batch');
  await storage.backtests.add([numberedBacktest(user.id, 1)]);
  const turn = { question: 'How is BTC?', answer: 'Well.', tools: [], state: null };
  await storage.conversations.complete(await storage.conversations.begin(user.id, null), turn, 90);
  await storage.tokenUse.reserve({ key: `user:${user.id}`, userId: user.id, limit: 10 }, 1);
  await storage.subscriptions.add(newSubscription(user.id, 'a channel'));
  await storage.executions.addAll([makeStoredExecution({ userId: user.id })]);
  const foreign = { clientOrderId: 'other', account: 'SPOT', pair: 'BTC/USDT', hasOwnId: false } as const;
  const seen = { userId: user.id, exchange: 'BINANCE', seenAt: new Date() };
  await storage.foreignOrders.put({ ...seen, orders: [foreign] });
  await storage.paperOrders.add([rowOf({ ...paperOrder(), id: user.id }, user.id, 'owner', 1)]);
  await storage.trades.book([bookedTrade({ id: user.id, userId: user.id })]);
  await storage.ledgerEntries.add([ledgerLine(user.id)]);
  await storage.equity.add([equitySnapshot({ userId: user.id })]);
  const before = freshMargin(user.id, 'FUTURES', '1');
  const levels = [{ pair: 'BTC/USDT', direction: '<', level: 1 }] as const;
  await storage.paperMargin.write([{ before, after: { state: before.state, levels } }]);
  await connectedExchange(storage, user.id);
  return user;
}

/** A line of the ledger of futures on Binance. */
const ledgerLine = (userId: string): StoredLedgerEntry => ({
  ...{ userId, exchange: 'BINANCE', account: 'FUTURES', id: '1', kind: 'funding', asset: 'USDT' },
  ...{ amount: '-1', pair: 'BTC/USDT', basis: null, price: '1', at: new Date() },
});

/** A connection with its account and positions. */
export async function connectedExchange(storage: Storage, userId: string): Promise<void> {
  const { accounts, connections, positions } = storage;
  const exchange = 'BINANCE';
  await accounts.findOrAdd(newAccount(userId, exchange, Date.now()));
  const connection = { id: connections.newId(), userId, exchange, mayTrade: true, key: sealed };
  await connections.add({ ...connection, createdAt: new Date() });
  const status = { exchange, syncedAt: null, fault: null };
  const { revision = 0 } = (await positions.find(userId)) ?? {};
  await positions.write([{ userId, positions: [], accounts: [status], revision }]);
}

const owned = [
  'sessions',
  'personal_tokens',
  'oauth_grants',
  'mails',
  'identities',
  'audit_events',
  'audit_counts',
  'backtests',
  'conversations',
  'token_use',
  'subscriptions',
  'executions',
  'trades',
  'ledger_entries',
  'connections',
  'paper_margin',
  'paper_margin_levels',
  'paper_orders',
  'accounts',
  'equity',
];

/** The collections with data of a user with all kinds of data, in the order in which `collectionsWith` names them. */
export const collectionsOfUsers: readonly string[] = [...owned, 'positions', 'users'];

/** The collections with anything of each user. */
export async function collectionsOf(db: Db, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(userIds.map((id) => [id, []]));
  const note = (name: string, ids: readonly string[]) => {
    for (const id of new Set(ids)) found.get(id)!.push(name);
  };
  for (const name of owned)
    note(name, await db.collection(name).distinct('userId', { userId: { $in: userIds } }));
  const positions = db.collection<{ _id: string }>('positions');
  note('positions', await positions.distinct('_id', { _id: { $in: userIds } }));
  const users = await db.collection('users').find().project({ _id: 1 }).toArray();
  note(
    'users',
    users.map(({ _id }) => String(_id)).filter((id) => found.has(id)),
  );
  return found;
}

/** The collections with anything of the user. */
export const collectionsWith = async (db: Db, userId: string): Promise<string[]> =>
  (await collectionsOf(db, [userId])).get(userId)!;
