import { availableParallelism } from 'node:os';
import Joi from 'joi';
import { decimalPattern } from '../../compute/model/decimal.js';
import { readSecretKeys } from '../accounts/open-secret-box.js';
import { computeQueueList, computeQueues, readQueueNames } from '../cluster/queues.js';
import { readExchanges } from '../exchanges/exchange-names.js';
import { readMailSender } from '../mail/read-mail-sender.js';
import { readSmtpUrl } from '../mail/smtp-url.js';
import { readApiSecrets } from '../users/api-secrets.js';
import { readHostedClients, readTrustedAgents } from '../users/hosted-clients.js';
import {
  issuerList,
  listOf,
  marketId,
  marketPairs,
  mongodbUrl,
  oneWord,
  origins,
  placeList,
  publicUrl,
  readHosts,
  readableBy,
  redisUrl,
  serverUrl,
  wholeNumber,
} from './setting-kinds.js';

const million = 1_000_000;

const fields = {
  // Gateway
  PORT: Joi.number().port().default(3000).description('port of the gateway; 0: any free port'),
  HOST: Joi.string().hostname().default('127.0.0.1').description('address that the gateway binds to'),
  PUBLIC_URL: publicUrl.description('URL that clients use; empty: `http://HOST:PORT`'),
  TRUSTED_HOPS: wholeNumber(0, 10)
    .default(0)
    .description(
      'number of proxies in front that append to X-Forwarded-For; 0: the client address is that of the connection',
    ),
  CORS_ORIGINS: origins.description(
    'origins whose pages may read responses, for example `https://app.example.com`; empty: none',
  ),
  MAX_CONNECTIONS: wholeNumber(10)
    .default(10_000)
    .description(
      'connections per gateway; a further one takes the place of the one that is idle for longest, or is closed at once',
    ),
  MAX_CONNECTIONS_NETWORK: wholeNumber(1)
    .default(1_000)
    .description(
      'of these, connections of one IPv4 address or IPv6 /64 network; without effect if TRUSTED_HOPS is set, because all connections then come from proxies',
    ),
  MAX_REQUESTS: wholeNumber(2)
    .default(64)
    .description(
      'requests that a gateway works on at the same time, without those that wait for a job; one network may have as many as are free; further ones are answered with 503',
    ),
  MAX_STREAMS: wholeNumber(1)
    .default(2_000)
    .description('open streams (GET /backend/stream) per gateway; further ones are answered with 503'),
  RESPONSE_TIMEOUT_MS: wholeNumber(100, 600_000)
    .default(20_000)
    .description(
      'a connection is closed when its client has read nothing of a waiting answer for this long, in ms',
    ),
  LEAVE_MS: wholeNumber(0, 20_000)
    .default(0)
    .description(
      'how long a gateway keeps serving after SIGTERM while `/readyz` answers 503, so that a load balancer stops sending to it, in ms',
    ),

  // Servers and data
  REDIS_URL: redisUrl.description(
    'Redis to use, for example `redis://host:6379`, by its socket `unix:///run/redis.sock`, or by its sentinels `redis+sentinel://:password@host:26379,host:26379,host:26379/NAME`; several, separated by blanks, share the requests, and the first holds all else; empty: one is found or started',
  ),
  REDIS_TAKES: placeList.description(
    'of several servers in REDIS_URL those that a compute node takes jobs from, for example `1,3`; empty: all',
  ),
  MONGODB_URL: mongodbUrl.description('MongoDB to use; empty: one is found or started'),
  DATA_DIR: Joi.string()
    .default('.data')
    .description('folder of embedded data, the run file and the demo account'),
  SERVERS_DIR: Joi.string()
    .allow('')
    .default('')
    .description('folder of downloaded server programs; empty: `servers` in DATA_DIR'),

  // Market data
  MARKET: marketId.description(
    'source of candles: `demo` (generated, live), `csv` (imported; the present time is that of the last candle) or the ccxt id of an exchange, for example `binance`',
  ),
  MARKET_PAIRS: marketPairs.description(
    'pairs of an exchange, for example `BTC/USDT,ETH/USDT`; or a number: that many USDT pairs with the highest turnover',
  ),
  MARKET_HISTORY_DAYS: wholeNumber(1, 5_000)
    .default(730)
    .description('history fetched from an exchange, in days'),
  MARKET_TICK_SECONDS: Joi.number()
    .min(1)
    .max(3_600)
    .default(10)
    .description('interval between requests for the prices of an exchange, in seconds'),
  MARKET_BUDGET_PER_MINUTE: Joi.number()
    .min(0)
    .default(0)
    .description(
      'request cost per minute, in the units of ccxt, that all processes together may spend at an exchange; each of its limits is used in the same share; 0: all of them',
    ),
  MARKET_URL: serverUrl(['http', 'https']).description(
    'URL used instead of that of the exchange, for a proxy or a test; empty: its own',
  ),

  // Exchanges of users
  EXCHANGES: readableBy(readExchanges)
    .default('BINANCE=binance,KUCOIN=kucoin,BYBIT=bybit')
    .description(
      'exchanges that users may connect: the name for clients and the ccxt id, optionally `@` and a URL used instead of its own',
    ),
  ACCOUNT_POLL_SECONDS: Joi.number()
    .min(1)
    .max(86_400)
    .default(60)
    .description('interval between readings of a connected account whose user is looking at it, in seconds'),
  PAPER_BALANCE: Joi.string()
    .pattern(decimalPattern, 'a decimal as in 10000')
    .default('10000')
    .description('starting balance of each paper account, in USDT'),
  SECRETS_KEY: readableBy(readSecretKeys)
    .allow('')
    .default('')
    .description(
      'keys of 32 bytes (hex or base64, separated by commas) that encrypt the API keys of users and the secrets of partners: the first one encrypts, all decrypt; empty: a key is created in DATA_DIR',
    ),
  LIVE_TRADING: oneWord('on', 'off')
    .default('off')
    .description(
      'whether signals are also executed on the exchanges that users connect, with their money; otherwise only on the paper exchange',
    ),
  STOP_MOVE_SECONDS: Joi.number()
    .min(0)
    .max(3_600)
    .default(10)
    .description(
      'shortest time between two moves of a trailing stop that stands on an exchange, in seconds; when the price comes near it, it is moved at once',
    ),
  PRICE_AGE_SECONDS: Joi.number()
    .min(1)
    .max(600)
    .default(10)
    .description('executions of signals do not act on a price that is older than this, in seconds'),

  // Jobs and compute nodes
  THREADS: wholeNumber(1, 256)
    .default(availableParallelism())
    .meta({ default: 'number of cores' })
    .description('compute threads per node'),
  THREAD_MEMORY_MB: wholeNumber(64).default(512).description('heap limit of one thread, in MB'),
  CANDLE_CACHE_MB: wholeNumber(8)
    .default(256)
    .description('shared memory of one compute node for candles and strategy decisions on them, in MB'),
  RESULT_CACHE_MB: wholeNumber(1)
    .default(64)
    .description('results kept in Redis for later equal requests, in MB'),
  BACKTEST_TIMEOUT_MS: wholeNumber(100, 60_000)
    .default(60_000)
    .description('time limit of a backtest, or of a search over own rules, queue included, in ms'),
  QUEUES: listOf(readQueueNames, computeQueues).description(
    `queues that a compute node serves, for example \`backtest,scan\`; empty: all of ${computeQueueList}`,
  ),
  QUEUE_DEPTH: wholeNumber(1)
    .default(1_000)
    .description('jobs that may wait in one queue; further ones are refused'),

  // Rate limits
  RATE_GUEST: wholeNumber(1, million)
    .default(60)
    .description('points per minute of an address without an account'),
  RATE_PAGES: wholeNumber(1, million)
    .default(400)
    .description(
      'points per minute of one browser that reads pages without an account or with plan free; all of a network without an account have 8 times as many',
    ),
  RATE_FREE: wholeNumber(1, million).default(60).description('points per minute of a user with plan free'),
  RATE_PLUS: wholeNumber(1, million).default(300).description('points per minute of a user with plan plus'),
  RATE_PRO: wholeNumber(1, million).default(1_200).description('points per minute of a user with plan pro'),
  RATE_SIGNED: wholeNumber(1, million)
    .default(100)
    .description('requests per minute of an address to /v3/ai'),
  RATE_AGENT: wholeNumber(1, million)
    .default(60)
    .description('the part of RATE_SIGNED that trusted agents may use without a signature'),
  RATE_HOSTED: wholeNumber(1, million)
    .default(600)
    .description('points per minute that the clients of one entry of MCP_HOSTED_CLIENTS share at /mcp'),
  RATE_OAUTH: wholeNumber(1, million)
    .default(20)
    .description('requests of a network to /token and /revoke that may fail per minute'),
  RATE_UNPRICED: wholeNumber(1, million)
    .default(600)
    .description(
      'requests per minute that cost no points: of a user to /mcp (lists and the like), of a user elsewhere, and of a network to /token and /revoke',
    ),
  RATE_SIGNALS: wholeNumber(1, million)
    .default(100)
    .description('signals per minute that a partner may create, by all its keys'),
  RATE_COMMANDS: wholeNumber(1, million)
    .default(600)
    .description('other requests per minute that a partner may send, by all keys'),

  // Signed API
  AI_API_SECRETS: readableBy(readApiSecrets)
    .allow('')
    .default('')
    .description(
      'secrets that sign requests to /v3/ai, for example `first-secret,key:second-secret`: all are valid; one with a key can be selected by `svc-api-key`',
    ),
  AI_TRUSTED_USER_AGENTS: readableBy(readTrustedAgents)
    .default('ChatGPT-User')
    .description(
      'agents that need no signature at /v3/ai, optionally limited to addresses as in `ChatGPT-User@203.0.113.0/24+2001:db8::/32`; `none`: no agents',
    ),
  PARTNER_SIGNATURES: oneWord('allow', 'require')
    .default('allow')
    .description(
      'whether partners may sign requests or send their secret (`allow`), or have to sign (`require`)',
    ),

  // MCP connector
  MCP_HOSTS: listOf(readHosts, []).description(
    'names, besides that of PUBLIC_URL and those of the own machine, that requests to /mcp may have in Host, for example `mcp.example.com`, separated by commas',
  ),
  MCP_HOSTED_CLIENTS: readableBy(readHostedClients)
    .allow('')
    .default('')
    .description(
      'hosted assistants whose users call /mcp from few addresses and without a token, as in `chat@203.0.113.0/24+2001:db8::/32`, separated by commas: each shares a bucket of RATE_HOSTED points; empty: none',
    ),

  // Assistant
  ASSISTANT_BASE_URL: serverUrl(['http', 'https']).description(
    'URL of a server that speaks the chat format of OpenAI, for example `http://127.0.0.1:11434/v1`; empty: the built-in analyst answers',
  ),
  ASSISTANT_API_KEY: Joi.string()
    .allow('')
    .default('')
    .description('key of that server; empty: none is sent'),
  ASSISTANT_MODEL: Joi.string()
    .allow('')
    .default('')
    .description('name of the language model; without it the built-in analyst answers'),
  ASSISTANT_MODEL_CALLS: wholeNumber(1, 1_000)
    .default(8)
    .description(
      'questions that the model answers at the same time for one gateway; the built-in analyst answers further ones',
    ),
  ASSISTANT_TIMEOUT_MS: wholeNumber(500, 40_000)
    .default(30_000)
    .description(
      'longest time for an answer, in ms; four fifths of it are for the model, the rest for the built-in analyst',
    ),
  ASSISTANT_TOKENS_GUEST: wholeNumber(0)
    .default(200_000)
    .description(
      'tokens of the model per calendar month for the guests of one network; when they are used up, the built-in analyst answers',
    ),
  ASSISTANT_TOKENS_FREE: wholeNumber(0).default(1_000_000).description('the same for a user with plan free'),
  ASSISTANT_TOKENS_PLUS: wholeNumber(0).default(5_000_000).description('the same for a user with plan plus'),
  ASSISTANT_TOKENS_PRO: wholeNumber(0).default(20_000_000).description('the same for a user with plan pro'),
  ASSISTANT_TOKENS_ALL: wholeNumber(0)
    .default(200_000_000)
    .description('the same for all users and guests together, which bounds what the model costs in a month'),
  CONVERSATION_DAYS: wholeNumber(1, 3_650)
    .default(90)
    .description(
      'how long a conversation is kept after its last question, in days; those of guests are kept for a day',
    ),

  // Sign-in
  LOGIN_FAILURES: wholeNumber(1, million)
    .default(5)
    .description(
      'failed sign-ins at one account from one address within 15 minutes before further ones are delayed',
    ),
  LOGIN_FAILURES_ADDRESS: wholeNumber(1, million)
    .default(100)
    .description(
      'failed sign-ins from one address at any accounts within 15 minutes before further ones are delayed',
    ),
  SIGN_UP: oneWord('on', 'off').default('on').description('whether visitors may create accounts'),
  IDP_ISSUERS: issuerList.description(
    'identity providers that sign users in, for example `https://id.example client-id`, separated by commas; a third word is the URL of the keys if it is not discovered or not public',
  ),

  // Mail
  SMTP_URL: readableBy(readSmtpUrl)
    .allow('')
    .default('')
    .description(
      'mail server, for example `smtps://user:password@mail.example.com`; `smtp://` needs STARTTLS, with `?tls=off` it sends without; empty: mails are files in `mail` in DATA_DIR',
    ),
  MAIL_FROM: readableBy(readMailSender)
    .default('Tidemark <no-reply@tidemark.local>')
    .description(
      'sender of mails: an address, or a name with an address as in `Tidemark <no-reply@example.com>`',
    ),

  // Log, metrics and traces
  LOG_LEVEL: oneWord('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .description('lowest level that is logged'),
  LOG_FORMAT: oneWord('auto', 'pretty', 'json')
    .default('auto')
    .description(
      'form of log lines: `pretty` (short, for people), `json`, or `auto`: `pretty` on a terminal, else `json`',
    ),
  METRICS_PORT: Joi.number<number | null>()
    .port()
    .allow(null)
    .default(null)
    .meta({ default: '' })
    .description('port of `/metrics`; empty: no metrics; 0: any free port'),
  METRICS_HOST: Joi.string()
    .hostname()
    .default('127.0.0.1')
    .description('address that `/metrics` binds to; it has no access control'),
  OTEL_EXPORTER_OTLP_ENDPOINT: serverUrl(['http', 'https']).description(
    'OpenTelemetry collector, for example `http://127.0.0.1:4318`; empty: no traces',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: serverUrl(['http', 'https']).description(
    'full URL for spans if it is not `/v1/traces` of the collector',
  ),
};

type FieldValues<F> = { -readonly [K in keyof F]: F[K] extends Joi.AnySchema<infer T> ? T : never };

/** The settings, in the order and groups of SETTINGS.md, with default, limits and a description each. */
export const settingsSchema = Joi.object<FieldValues<typeof fields>>(fields);
