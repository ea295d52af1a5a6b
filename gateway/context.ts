import type { Server as McpServer } from '@modelcontextprotocol/server';
import type { Redis } from 'ioredis';
import type { Cluster } from '../jobs/cluster/cluster.js';
import type { JobClient, JobProgress } from '../jobs/requests/job-client.js';
import type { Timings } from '../jobs/job.js';
import type { ActivityRecorder } from '../storage/cluster/activity-recorder.js';
import type { SentKeys } from '../storage/accounts/sent-keys.js';
import type { UserExchanges } from '../storage/accounts/user-exchanges.js';
import type { AuditLog } from '../storage/users/audit-log.js';
import type { DailyUsage } from '../storage/users/daily-usage.js';
import type { BacktestWriter } from '../storage/backtests/backtest-writer.js';
import type { Storage } from '../storage/index.js';
import type { Log } from '../storage/process/log.js';
import type { Metrics } from '../storage/process/metrics.js';
import type { SeriesDirectory } from '../storage/candles/series-directory.js';
import type { Settings } from '../storage/process/settings.js';
import type { TraceContext, Tracing } from '../storage/process/tracing.js';
import type { TokenScope } from '../storage/users/token-scopes.js';
import type { SignedIn, SignedInDirectory } from '../storage/users/signed-in-directory.js';
import type { Assistant, ChatEvent } from './assistant/assistant.js';
import type { PartnerAccess } from './auth/partner-access.js';
import type { IdTokens } from './auth/id-tokens.js';
import type { ClientDocuments } from './auth/oauth/clients/client-documents.js';
import type { FairScheduler } from './limits/fair-scheduler.js';
import type { LoginThrottle } from './limits/login-throttle.js';
import type { MailRequests } from './limits/mail-requests.js';
import type { RequestsInHand } from './limits/requests-in-hand.js';
import type { LiveHub } from './live/live-hub.js';
import type { RateLimits } from './limits/rate-limits.js';
import type { AttemptLimit } from './limits/attempt-limit.js';
import type { LateAnswers } from './mcp/late-answers.js';
import type { TokenNetworks } from './mcp/access/token-networks.js';
import type { McpMethods } from './mcp/methods.js';
import type { RunningCalls } from './mcp/running-calls.js';
import type { RequestSender } from './middleware/client-address.js';

/** The services that every operation is given. */
export interface Deps {
  settings: Settings;
  storage: Storage;
  /** Finds the stored series of a pair and interval. */
  series: SeriesDirectory;
  /** Finds the user of a session, a personal access token, or an access token of a connected app. */
  signedIn: SignedInDirectory;
  /** Records from which networks personal access tokens are used. */
  tokenNetworks: TokenNetworks;
  limits: RateLimits;
  /** Counts the requests and points of accounts by day. */
  usage: DailyUsage;
  /** The requests that this gateway works on. */
  inHand: RequestsInHand;
  /** Decides which request is worked on next. */
  scheduler: FairScheduler;
  exchanges: UserExchanges;
  /** API keys sent encrypted to the market worker that tries them. */
  sentKeys: SentKeys;
  /** Slows down password guessing. */
  logins: LoginThrottle;
  /** Asks for mails, within limits. */
  mailRequests: MailRequests;
  /** Limits the OAuth clients that a network registers. */
  registrations: AttemptLimit;
  /** Recognises partners by key and secret or signature. */
  partners: PartnerAccess;
  /** Verifies ID tokens of identity providers. */
  idTokens: IdTokens;
  /** Finds OAuth clients that publish a document at their id. */
  clientDocuments: ClientDocuments;
  queues: JobClient;
  /** The calls of tools that run in this gateway. */
  runningCalls: RunningCalls;
  /** Results of calls that took longer than clients wait. */
  lateAnswers: LateAnswers;
  /** After how many ms a long call of a tool answers with an id to fetch its result by. Default: 45 s. */
  callWaitMs?: number | undefined;
  /** Answers more on the server object of each request to the MCP connector. Only tests have this. */
  extendMcpServer?: ((server: McpServer, own: McpMethods) => McpMethods) | undefined;
  /** The open streams of events. */
  live: LiveHub;
  /** All processes and queues, for operators. */
  cluster: Cluster;
  /** Records what happens to accounts, beside the answers. */
  audit: AuditLog;
  /** Stores the backtests that users run, beside their answers. */
  backtestWriter: BacktestWriter;
  /** Counts requests by duration, for operators. */
  activity: ActivityRecorder;
  /** Answers questions in plain language. */
  assistant: Assistant;
  redis: Redis;
  /** Aborted when the gateway begins to shut down: it still answers, and asks clients to use other connections. */
  ending: AbortSignal;
  log: Log;
  /** Absent if metrics are off. */
  metrics?: Metrics | undefined;
  /** Absent if tracing is off. */
  tracing?: Tracing | undefined;
}

export interface Caller {
  requestId: string;
  /** Null without a session; never null for an operation whose scope is `user` or `operator`. */
  user: SignedIn | null;
  /** Client address, as `RequestSender.address`. */
  address: string;
  /** What the client calls itself, as `clientName` shows it. */
  client: string;
  /** Aborted when the client disconnects. Read it when a job is asked for: from then on the request does not count as in hand. */
  signal: AbortSignal;
  /** Milliseconds per stage, for the Server-Timing header; operations add to it. */
  timings: Timings;
  /** The header idempotency-key; null without one, absent where there are no headers. Reading it throws `invalid_input` for a bad one. */
  readonly idempotencyKey?: string | null;
  /** Receives the progress of a long operation; absent if the caller does not want it. */
  onProgress?: (progress: JobProgress) => void;
  /** What the user's token allows, or their session, which allows everything; absent: nothing. */
  scopes?: ReadonlySet<TokenScope>;
  /** The `csrf-token` that the caller's browser has to send with each write; absent unless a cookie has signed it in. */
  csrf?: string;
  /** Charges points beyond those of the operation to the one who pays for the request; rejects with `rate_limited`. */
  charge?: (points: number) => Promise<void>;
  /** Receives what happens while a question is answered; absent if the caller does not want it. */
  onEvent?: (event: ChatEvent) => void;
}

/** What middleware stores about a request in `ctx.state`. */
export interface RequestState extends RequestSender {
  requestId: string;
  trace?: TraceContext;
  /** It asks for a page, so that its errors are pages, too. */
  isPage?: true;
  /** It is counted among the requests of its user today. */
  isCounted?: true;
  /** The tools that it calls, for the log; never their arguments. */
  tools?: readonly string[];
}
