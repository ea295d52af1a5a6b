import type { Collection, Db, Document } from 'mongodb';

/**
 * How long an acknowledged write lasts. `lasting`: it survives the crash of any server, since a majority of the servers
 * has it in the journal. `replaceable`: what the server's default gives; a write that is lost is made again.
 */
type Durability = 'lasting' | 'replaceable';

export const collections = {
  // Balances, costs and read positions; the paper account exists nowhere else.
  accounts: 'lasting',
  // Written beside the answers that they belong to.
  audit_counts: 'lasting',
  audit_events: 'lasting',
  // Written beside the answer, which does not wait for it.
  backtests: 'lasting',
  // Fetched or imported again. The document in `series` is written after them, so they last once that lasts.
  candles: 'replaceable',
  // Also says which signals are to be looked at; that is found again by nothing else.
  channel_records: 'lasting',
  channels: 'lasting',
  connections: 'lasting',
  conversations: 'lasting',
  // Computed again from candles.
  core_lines: 'replaceable',
  // What accounts were worth at the start of each day, which is not known later.
  equity: 'lasting',
  // What is known of orders and positions: one document for each signal and subscriber.
  executions: 'lasting',
  // Written again with the next prices.
  feeds: 'replaceable',
  // Seen again with the next comparison.
  foreign_orders: 'replaceable',
  // What the operator has halted.
  halts: 'lasting',
  identities: 'lasting',
  leaderboards: 'replaceable',
  // Transfers, funding and interest as exchanges have listed them; an exchange forgets old ones.
  ledger_entries: 'lasting',
  // They expire within seconds.
  leases: 'replaceable',
  // Requests for mails, and the links in those that were sent.
  mails: 'lasting',
  migrations: 'lasting',
  oauth_clients: 'lasting',
  // Consents of users, with their codes and tokens.
  oauth_grants: 'lasting',
  oauth_refresh_claims: 'lasting',
  // They expire within minutes; a user whose request is lost connects again.
  oauth_transactions: 'replaceable',
  // Margin and futures accounts on paper, with their orders.
  paper_margin: 'lasting',
  paper_margin_levels: 'lasting',
  paper_margin_orders: 'lasting',
  // Orders and fills of paper accounts; the account follows from them.
  paper_orders: 'lasting',
  partners: 'lasting',
  personal_tokens: 'lasting',
  // Computed again from accounts.
  positions: 'replaceable',
  preferences: 'lasting',
  // Computed again every night.
  risk_calibrations: 'replaceable',
  series: 'lasting',
  sessions: 'lasting',
  // Computed again from trades.
  signal_outcomes: 'replaceable',
  signals: 'lasting',
  strategies: 'lasting',
  subscriptions: 'lasting',
  // What language models cost: a limit of the operator.
  token_use: 'lasting',
  // What came of executions; an execution is marked as booked after it.
  trades: 'lasting',
  users: 'lasting',
} as const satisfies Record<string, Durability>;

export type CollectionName = keyof typeof collections;

const writeConcerns = {
  lasting: { writeConcern: { w: 'majority', journal: true } },
  replaceable: {},
} as const;

/** A collection whose writes are acknowledged when they last as long as the list above says. */
export const openCollection = <T extends Document>(db: Db, name: CollectionName): Collection<T> =>
  db.collection<T>(name, writeConcerns[collections[name]]);
