import type { Redis } from 'ioredis';
import type { Cluster } from '../jobs/cluster/cluster.js';
import type { JobClient } from '../jobs/requests/job-client.js';
import type { Timings } from '../jobs/job.js';
import type { SentKeys } from '../storage/accounts/sent-keys.js';
import type { UserExchanges } from '../storage/accounts/user-exchanges.js';
import type { Storage } from '../storage/index.js';
import type { Log } from '../storage/process/log.js';
import type { Metrics } from '../storage/process/metrics.js';
import type { SeriesDirectory } from '../storage/candles/series-directory.js';
import type { Settings } from '../storage/process/settings.js';
import type { TraceContext, Tracing } from '../storage/process/tracing.js';
import type { SignedIn, SignedInDirectory } from '../storage/users/signed-in-directory.js';
import type { IdTokens } from './auth/id-tokens.js';
import type { LoginThrottle } from './limits/login-throttle.js';
import type { RateLimits } from './limits/rate-limits.js';

/** What the gateway hands to every operation. */
export interface Deps {
  settings: Settings;
  storage: Storage;
  /** The stored series, as candle requests look them up. */
  series: SeriesDirectory;
  /** Who is signed in with which token. */
  signedIn: SignedInDirectory;
  limits: RateLimits;
  /** What users have connected. */
  exchanges: UserExchanges;
  /** Keys of exchanges on their way to who tries them. */
  sentKeys: SentKeys;
  /** Holds up those who guess passwords. */
  logins: LoginThrottle;
  /** Checks the ID tokens of identity providers. */
  idTokens: IdTokens;
  queues: JobClient;
  /** Every process and queue, for operators. */
  cluster: Cluster;
  redis: Redis;
  /** Aborted when the gateway has been told to end: it answers on, and asks to be left alone. */
  ending: AbortSignal;
  log: Log;
  /** Absent where nothing is measured. */
  metrics?: Metrics | undefined;
  /** Absent where nothing is traced. */
  tracing?: Tracing | undefined;
}

/** Who asks, and how long they wait. */
export interface Caller {
  requestId: string;
  /** Null where nobody is signed in; never null for an operation whose scope is `user` or `operator`. */
  user: SignedIn | null;
  /** Where the request comes from. */
  address: string;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
  /** Where the time went, for the Server-Timing header. */
  timings: Timings;
}

/** What middleware keeps about a request. */
export interface RequestState {
  requestId: string;
  /** Where it comes from, as far as proxies are trusted. */
  address: string;
  /** Its span, where requests are traced. */
  trace?: TraceContext;
}
