import { AppError } from '../compute/model/errors.js';
import { AccountFills } from './ledger/account-fills.js';
import { AccountRepository } from './accounts/accounts.js';
import { AuditEventRepository } from './users/audit-events.js';
import { BacktestRepository } from './backtests/backtests.js';
import { MarkedBacktests } from './backtests/marked-backtests.js';
import type { AnnounceSeries } from './candles/candle-writer.js';
import { BookedTradeRepository } from './ledger/booked-trades.js';
import { CandleRepository } from './candles/candles.js';
import { ChannelRecordRepository } from './ledger/channel-records.js';
import { ChannelRepository } from './signals/channels.js';
import { ConnectionRepository } from './accounts/connections.js';
import { ConversationRepository } from './conversations/conversations.js';
import { CoreLineRepository } from './candles/core-lines.js';
import { EquityRepository } from './ledger/equity.js';
import { ExecutionCounts } from './signals/execution-counts.js';
import { ExecutionReads } from './signals/execution-reads.js';
import { ExecutionRepository } from './signals/executions.js';
import { ExpiringData } from './servers/expiring-data.js';
import { FeedRepository } from './candles/feeds.js';
import { ForeignOrderRepository } from './signals/foreign-orders.js';
import { HaltRepository } from './signals/halts.js';
import { IdentityRepository } from './users/identities.js';
import { LeaderboardRepository } from './candles/leaderboards.js';
import { LedgerEntryRepository } from './ledger/ledger-entries.js';
import { Leases } from './servers/leases.js';
import { MongoLeaseStore } from './servers/mongo-lease-store.js';
import type { Redis } from 'ioredis';
import { migrate } from './migrations/index.js';
import { isMongoFull, isMongoUnavailable, openMongo, type MongoLimits } from './servers/mongo.js';
import { OwnedData } from './users/owned-data.js';
import { OpenExecutions } from './ledger/open-executions.js';
import type { TellLive } from './live/live-events.js';
import { MailRepository } from './mail/mails.js';
import { MarginAccountRepository } from './exchanges/paper/margin/margin-accounts.js';
import { PaperOrderRepository } from './exchanges/paper/paper-orders.js';
import { AuthorizationTransactionRepository } from './oauth/transactions.js';
import { OauthClientRepository } from './oauth/clients.js';
import { GrantRepository } from './oauth/grants.js';
import { GrantTokens } from './oauth/grant-tokens.js';
import { PositionRepository } from './accounts/positions.js';
import { PartnerRepository } from './users/partners.js';
import { PreferencesRepository } from './users/preferences.js';
import { RiskCalibrationRepository } from './candles/risk-calibrations.js';
import { SeriesRepository } from './candles/series.js';
import { SavedStrategyRepository } from './strategies/saved-strategies.js';
import { PersonalTokenRepository } from './users/personal-tokens.js';
import { SessionRepository } from './users/sessions.js';
import { SignalOutcomeRepository } from './ledger/signal-outcomes.js';
import { SignalRepository } from './signals/signals.js';
import { SubscriptionRepository } from './signals/subscriptions.js';
import { TokenUseRepository } from './conversations/token-use.js';
import { UnbookedExecutions } from './ledger/unbooked-executions.js';
import type { AnnounceRevoked } from './users/revoked.js';
import { UserRepository } from './users/users.js';

/** How writes are announced to other processes. A process that only reads needs none. */
export interface Announcements {
  series?: AnnounceSeries;
  revoked?: AnnounceRevoked;
  live?: TellLive;
}

/** Opens the repositories over one MongoDB client. Connects on first use. */
export function openStorage(mongodbUrl: string, limits: MongoLimits, announce: Announcements = {}) {
  const { db, ping, close } = openMongo(mongodbUrl, limits);
  const leases = new Leases(new MongoLeaseStore(db));
  const series = new SeriesRepository(db);
  const executionReads = new ExecutionReads(db);
  return {
    accountFills: new AccountFills(db),
    accounts: new AccountRepository(db),
    auditEvents: new AuditEventRepository(db),
    authorizations: new AuthorizationTransactionRepository(db),
    backtests: new BacktestRepository(db),
    markedBacktests: new MarkedBacktests(db),
    candles: new CandleRepository(db, series, leases, announce.series),
    channelRecords: new ChannelRecordRepository(db),
    channels: new ChannelRepository(db),
    connections: new ConnectionRepository(db),
    conversations: new ConversationRepository(db),
    coreLines: new CoreLineRepository(db, announce.live),
    equity: new EquityRepository(db),
    executionCounts: new ExecutionCounts({ reads: executionReads }),
    executionReads,
    executions: new ExecutionRepository(db),
    expiring: new ExpiringData(db),
    feeds: new FeedRepository(db),
    foreignOrders: new ForeignOrderRepository(db),
    grants: new GrantRepository(db, announce.revoked),
    grantTokens: new GrantTokens(db, announce.revoked),
    halts: new HaltRepository(db),
    identities: new IdentityRepository(db),
    leaderboards: new LeaderboardRepository(db),
    leases,
    ledgerEntries: new LedgerEntryRepository(db),
    mails: new MailRepository(db),
    oauthClients: new OauthClientRepository(db),
    openExecutions: new OpenExecutions(db),
    owned: new OwnedData(db),
    paperMargin: new MarginAccountRepository(db),
    paperOrders: new PaperOrderRepository(db),
    positions: new PositionRepository(db),
    partners: new PartnerRepository(db),
    preferences: new PreferencesRepository(db),
    riskCalibrations: new RiskCalibrationRepository(db),
    savedStrategies: new SavedStrategyRepository(db),
    series,
    sessions: new SessionRepository(db, announce.revoked),
    personalTokens: new PersonalTokenRepository(db, announce.revoked),
    signalOutcomes: new SignalOutcomeRepository(db),
    signals: new SignalRepository(db),
    subscriptions: new SubscriptionRepository(db),
    tokenUse: new TokenUseRepository(db),
    trades: new BookedTradeRepository(db),
    unbooked: new UnbookedExecutions(db),
    users: new UserRepository(db, announce.revoked),
    /** Applies the migrations that are missing; safe when several processes do it at once. */
    migrate: (redis?: Redis): Promise<void> => migrate(db, leases, redis),
    ping,
    close,
  };
}

/** All data kept in MongoDB. */
export type Storage = ReturnType<typeof openStorage>;

/** Turns an error of the MongoDB driver that says it can't be reached, or its disk is full, into `mongodb_unavailable`; others stay. */
export function mapStorageError(error: unknown): unknown {
  if (!isMongoUnavailable(error)) return error;
  const message = isMongoFull(error)
    ? 'the disk of MongoDB is full: nothing is stored until there is room; what is only read is answered'
    : 'MongoDB does not answer; try again in a moment';
  return new AppError('mongodb_unavailable', message, {
    details: { part: 'mongodb' },
    cause: error,
  });
}
