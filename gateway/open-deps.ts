import { prepareRecogniser } from './assistant/analyst/recognition/default-recogniser.js';
import type { Assistant } from './assistant/assistant.js';
import { ChatAssistant } from './assistant/chat-assistant.js';
import { Cluster } from '../jobs/cluster/cluster.js';
import { JobClient } from '../jobs/requests/job-client.js';
import { SentKeys } from '../storage/accounts/sent-keys.js';
import { UserExchanges } from '../storage/accounts/user-exchanges.js';
import { AuditLog } from '../storage/users/audit-log.js';
import { BacktestWriter } from '../storage/backtests/backtest-writer.js';
import { ActivityRecorder } from '../storage/cluster/activity-recorder.js';
import { openStorage } from '../storage/index.js';
import { closeInOrder } from '../storage/process/close-in-order.js';
import type { Log } from '../storage/process/log.js';
import type { Metrics } from '../storage/process/metrics.js';
import { connected, failFast, openRedis, patient, quick } from '../storage/servers/redis.js';
import { SeriesDirectory } from '../storage/candles/series-directory.js';
import type { Settings } from '../storage/process/settings.js';
import type { Tracing } from '../storage/process/tracing.js';
import { SignedInDirectory } from '../storage/users/signed-in-directory.js';
import { announceRevoked } from '../storage/users/revoked.js';
import { DailyUsage } from '../storage/users/daily-usage.js';
import { readIssuers } from '../storage/users/idp-issuers.js';
import { PartnerAccess } from './auth/partner-access.js';
import { IdTokens } from './auth/id-tokens.js';
import { ClientDocuments } from './auth/oauth/clients/client-documents.js';
import type { Deps } from './context.js';
import { FairScheduler } from './limits/fair-scheduler.js';
import { MailRequests } from './limits/mail-requests.js';
import { LoginThrottle } from './limits/login-throttle.js';
import { LiveHub } from './live/live-hub.js';
import { RequestsInHand } from './limits/requests-in-hand.js';
import { RateLimits } from './limits/rate-limits.js';
import { TokenNetworks } from './mcp/access/token-networks.js';
import { AttemptLimit, twentyAnHour } from './limits/attempt-limit.js';
import { LateAnswers } from './mcp/late-answers.js';
import { RunningCalls } from './mcp/running-calls.js';

/**
 * How long a MongoDB operation may take while MongoDB answers at all: on a busy machine single ones take over a second. One that does
 * not answer fails requests within 3.5 s, and then within half a second.
 */
const storageLimits = { timeoutMs: 10_000, failsFast: true } as const;

/** How long after the start of the gateway the analyst is prepared, because other work comes first. */
const prepareAnalystAfterMs = 30_000;

export interface DepsOptions {
  settings: Settings;
  redisUrl: string;
  mongodbUrl: string;
  log: Log;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** How long Redis may take to count, before this gateway counts for itself; longer in tests that are not about that. */
  countingMs?: number | undefined;
  /** Aborted when the gateway begins to shut down. */
  ending?: AbortSignal;
}

/** Opens all services that operations need, over one Redis and one MongoDB. `close` closes them in order. */
export async function openDeps({
  settings,
  redisUrl,
  mongodbUrl,
  log,
  metrics,
  tracing,
  countingMs = quick.answerMs,
  ending = new AbortController().signal,
}: DepsOptions): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const redis = openRedis(redisUrl, failFast, metrics, tracing);
  const counting = openRedis(redisUrl, { ...quick, answerMs: countingMs }, metrics, tracing);
  const limits = { ...storageLimits, metrics, tracing };
  const tellOthers = announceRevoked(redis);
  const storage = openStorage(mongodbUrl, limits, {
    revoked: async (revoked) => {
      signedIn.forget(revoked);
      await tellOthers(revoked);
    },
  });
  await Promise.all([connected(redis), connected(counting)]);
  const queues = await JobClient.open(redisUrl, { depthLimit: settings.QUEUE_DEPTH, metrics, tracing });
  const series = new SeriesDirectory(storage.series, openRedis(redisUrl, patient));
  const signedIn = new SignedInDirectory(storage, openRedis(redisUrl, patient));
  const activity = new ActivityRecorder(redis);
  const cluster = new Cluster(redis, queues);
  const exchanges = new UserExchanges(settings, storage, redis);
  const rateLimits = new RateLimits(counting, settings);
  const usage = new DailyUsage(counting);
  const backtestWriter = new BacktestWriter({ backtests: storage.backtests, log });
  const audit = new AuditLog({ auditEvents: storage.auditEvents, log });
  const tokenNetworks = new TokenNetworks(storage.personalTokens, audit);
  const runningCalls = new RunningCalls(redis, openRedis(redisUrl, patient));
  const live = new LiveHub({
    redis,
    subscriber: openRedis(redisUrl, patient),
    signedIn,
    ending,
    market: settings.MARKET,
    most: settings.MAX_STREAMS,
  });
  metrics?.read('openStreams', () => [[live.size]]);
  const deps: Omit<Deps, 'assistant'> = {
    settings,
    storage,
    series,
    signedIn,
    tokenNetworks,
    limits: rateLimits,
    usage,
    inHand: new RequestsInHand(settings.MAX_REQUESTS),
    scheduler: new FairScheduler(),
    exchanges,
    sentKeys: new SentKeys(redis, exchanges.exchanges),
    logins: new LoginThrottle(counting, settings),
    mailRequests: new MailRequests(counting, storage.mails),
    registrations: new AttemptLimit(counting, twentyAnHour, 'too many registrations of apps'),
    partners: new PartnerAccess(storage.partners, () => exchanges.exchanges.box(), log),
    idTokens: new IdTokens(readIssuers(settings.IDP_ISSUERS)),
    clientDocuments: new ClientDocuments(counting),
    queues,
    runningCalls,
    lateAnswers: new LateAnswers(redis),
    live,
    cluster,
    audit,
    backtestWriter,
    activity,
    redis,
    ending,
    log,
    metrics,
    tracing,
  };
  // The assistant calls operations with the same services.
  const complete = deps as Deps;
  complete.assistant = await openAssistant(complete);
  return {
    deps: complete,
    close: () =>
      closeInOrder([
        () => live.close(),
        () => cluster.close(),
        () => activity.close(),
        () => queues.close(),
        () => tokenNetworks.settled(),
        () => audit.close(),
        () => backtestWriter.close(),
        () => series.close(),
        () => signedIn.close(),
        () => runningCalls.close(),
        () => rateLimits.close(),
        () => usage.close(),
        () => counting.disconnect(),
        () => redis.disconnect(),
        () => storage.close(),
      ]),
  };
}

/**
 * The assistant, with a language model if the settings name one. The library for models is loaded only then. The index of the
 * built-in analyst is made a while after the start, or with the first question.
 */
async function openAssistant(deps: Deps): Promise<Assistant> {
  setTimeout(() => void prepareRecogniser(), prepareAnalystAfterMs).unref();
  const { ASSISTANT_BASE_URL: url, ASSISTANT_MODEL: name } = deps.settings;
  if (url === '' || name === '') return new ChatAssistant(deps, null);
  const { OpenAiModel } = await import('./assistant/model/openai-model.js');
  return new ChatAssistant(deps, new OpenAiModel(deps.settings));
}
