import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import Joi from 'joi';
import { MongoClient } from 'mongodb';
import { decimalPattern } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import { readApiSecrets } from '../users/api-secrets.js';
import { readExchanges } from '../exchanges/exchange-names.js';
import { exchangeIds } from '../exchanges/exchange-ids.js';
import { readIssuers } from '../users/idp-issuers.js';
import { readPairChoice } from '../../compute/model/market-pair.js';
import { computeQueues, readQueueNames, type ComputeQueue } from '../cluster/queue-names.js';
import { readSecretKeys } from '../accounts/read-secret-keys.js';
import { readTrustedAgents } from '../users/trusted-agents.js';

/** Everything an operator may set, by environment variable or in a `.env` file of the working folder. */
export interface Settings {
  PORT: number;
  HOST: string;
  PUBLIC_URL: string;
  REDIS_URL: string;
  MONGODB_URL: string;
  DATA_DIR: string;
  SERVERS_DIR: string;
  MARKET: string;
  MARKET_PAIRS: string;
  MARKET_HISTORY_DAYS: number;
  MARKET_TICK_SECONDS: number;
  MARKET_BUDGET_PER_MINUTE: number;
  MARKET_URL: string;
  EXCHANGES: string;
  ACCOUNT_POLL_SECONDS: number;
  PAPER_BALANCE: string;
  SECRETS_KEY: string;
  LOG_LEVEL: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  THREADS: number;
  THREAD_MEMORY_MB: number;
  CANDLE_CACHE_MB: number;
  RESULT_CACHE_MB: number;
  BACKTEST_TIMEOUT_MS: number;
  QUEUES: ComputeQueue[];
  QUEUE_DEPTH: number;
  LEAVE_MS: number;
  TRUSTED_HOPS: number;
  CORS_ORIGINS: string[];
  MAX_CONNECTIONS: number;
  RATE_GUEST: number;
  RATE_FREE: number;
  RATE_PLUS: number;
  RATE_PRO: number;
  RATE_SIGNED: number;
  RATE_AGENT: number;
  AI_API_SECRETS: string;
  AI_TRUSTED_USER_AGENTS: string;
  LOGIN_FAILURES: number;
  LOGIN_FAILURES_ADDRESS: number;
  SIGN_UP: 'on' | 'off';
  IDP_ISSUERS: string;
  METRICS_PORT: number | null;
  METRICS_HOST: string;
  OTEL_EXPORTER_OTLP_ENDPOINT: string;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string;
}

const serverUrl = (schemes: string[]) => Joi.string().uri({ scheme: schemes }).allow('').default('');

/** Several hosts with ports, as a replica set has, are no URI by the letter of RFC 3986: the driver decides. */
const mongodbUrl = Joi.string()
  .allow('')
  .default('')
  .custom((text: string) => (new MongoClient(text), text))
  .message('{{#label}} must be an address of MongoDB (mongodb://... or mongodb+srv://...)');

const knownExchanges = ['binance', 'bitget', 'bybit', 'coinbase', 'gate', 'kraken', 'kucoin', 'okx'];

const market = Joi.string()
  .default('demo')
  .custom((id: string) => {
    if (id !== 'demo' && id !== 'csv' && !exchangeIds().includes(id)) throw new Error('not known');
    return id;
  })
  .message(
    `{{#label}} must be demo, csv or the id of an exchange that ccxt knows (${knownExchanges.join(', ')} and others)`,
  );

const marketPairs = Joi.string()
  .default('50')
  .custom((text: string) => {
    readPairChoice(text);
    return text;
  })
  .message('{{#label}} must be pairs as in BTC/USDT,ETH/USDT or a number from 1 to 1000');

/** A list with commas, of origins as browsers write them. */
const origins = Joi.string()
  .default([])
  .meta({ default: '' })
  .custom((text: string) => {
    const list = text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    if (list.some((each) => !URL.canParse(each) || new URL(each).origin !== each))
      throw new Error('no origin');
    return list;
  })
  .message(
    '{{#label}} must be origins as in https://app.example.com,http://localhost:5173',
  ) as unknown as Joi.ArraySchema<string[]>;

const idpIssuers = Joi.string()
  .allow('')
  .default('')
  .custom((text: string) => (readIssuers(text), text))
  .message(
    '{{#label}} must be pairs of issuer and audience, each maybe with the address of its keys, separated by commas, all of them https',
  );

const pointsPerMinute = (usual: number) => Joi.number().integer().min(1).max(1_000_000).default(usual);

/** What a function reads of a text; what it says of one that it cannot read is the fault. */
const listRead = <Item extends string>(read: (text: string) => Item[], usual: readonly Item[]) =>
  Joi.string()
    .default([...usual])
    .meta({ default: '' })
    .custom(read)
    .messages({
      'any.custom': '{{#label}} is not understood: {{#error.message}}',
    }) as unknown as Joi.ArraySchema<Item[]>;

/** A text that a function has to be able to read; what it says of one that it cannot is the fault. */
const readable = (read: (text: string) => unknown) =>
  Joi.string()
    .custom((text: string) => {
      read(text);
      return text;
    })
    .messages({ 'any.custom': '{{#label}} is not understood: {{#error.message}}' });

export const settingsSchema = Joi.object<Settings, true>({
  PORT: Joi.number().port().default(3000).description('port of the gateway; 0 takes a free one'),
  HOST: Joi.string().hostname().default('127.0.0.1').description('address the gateway binds to'),
  PUBLIC_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .allow('')
    .default('')
    .description('address clients use, where it differs from `http://HOST:PORT`'),
  REDIS_URL: serverUrl(['redis', 'rediss']).description('Redis to use; empty: one is found or started'),
  MONGODB_URL: mongodbUrl.description('MongoDB to use; empty: one is found or started'),
  DATA_DIR: Joi.string()
    .default('.data')
    .description('folder of embedded data, the run file and the demo account'),
  SERVERS_DIR: Joi.string()
    .allow('')
    .default('')
    .description('folder of downloaded server programs; empty: `servers` in DATA_DIR'),
  MARKET: market.description(
    'source of candles: `demo` (made here, live), `csv` (imported; time stands at the last candle) or the ccxt id of an exchange, as in `binance`',
  ),
  MARKET_PAIRS: marketPairs.description(
    'pairs of an exchange, as in `BTC/USDT,ETH/USDT`; or how many of those with the most turnover against USDT',
  ),
  MARKET_HISTORY_DAYS: Joi.number()
    .integer()
    .min(1)
    .max(5_000)
    .default(730)
    .description('history fetched from an exchange, in days'),
  MARKET_TICK_SECONDS: Joi.number()
    .min(1)
    .max(3_600)
    .default(10)
    .description('time between two askings for the prices of an exchange, in seconds'),
  MARKET_BUDGET_PER_MINUTE: Joi.number()
    .min(0)
    .default(0)
    .description(
      'request cost an exchange is asked in a minute by all processes together; 0: what ccxt knows of it',
    ),
  MARKET_URL: serverUrl(['http', 'https']).description(
    'address that takes the place of the exchange, for a proxy or a test; empty: its own',
  ),
  EXCHANGES: readable(readExchanges)
    .default('BINANCE=binance,KUCOIN=kucoin,BYBIT=bybit')
    .description(
      'exchanges users may connect: the name clients use and the ccxt id, and `@` with an address that takes the place of its own, if any',
    ),
  ACCOUNT_POLL_SECONDS: Joi.number()
    .min(1)
    .max(86_400)
    .default(60)
    .description('time between two readings of a connected account that is looked at, in seconds'),
  PAPER_BALANCE: Joi.string()
    .pattern(decimalPattern, 'a decimal as in 10000')
    .default('10000')
    .description('what every paper account begins with, in USDT'),
  SECRETS_KEY: readable(readSecretKeys)
    .allow('')
    .default('')
    .description(
      'keys of 32 bytes (hex or base64, with commas) that seal the API keys of users: the first seals, all open; empty: one is made in DATA_DIR',
    ),
  LOG_LEVEL: Joi.string()
    .valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .description('least severity that is logged'),
  THREADS: Joi.number()
    .integer()
    .min(1)
    .max(256)
    .default(availableParallelism())
    .meta({ default: 'number of cores' })
    .description('compute threads of one node'),
  THREAD_MEMORY_MB: Joi.number()
    .integer()
    .min(64)
    .default(512)
    .description('heap limit of one thread, in MB'),
  CANDLE_CACHE_MB: Joi.number()
    .integer()
    .min(8)
    .default(256)
    .description('candles, and decisions on them, that one compute node keeps in shared memory, in MB'),
  RESULT_CACHE_MB: Joi.number()
    .integer()
    .min(1)
    .default(64)
    .description('results kept in Redis for those who ask the same again, in MB'),
  BACKTEST_TIMEOUT_MS: Joi.number()
    .integer()
    .min(100)
    .max(60_000)
    .default(60_000)
    .description('time limit of a backtest, waiting included, in ms'),
  QUEUES: listRead(readQueueNames, computeQueues).description(
    'queues a compute node takes from, as in `backtest,scan`: of analysis, backtest, scan, signals and market; empty: all',
  ),
  QUEUE_DEPTH: Joi.number()
    .integer()
    .min(1)
    .default(1_000)
    .description('jobs that may wait in one queue before new ones are refused'),
  LEAVE_MS: Joi.number()
    .integer()
    .min(0)
    .max(20_000)
    .default(0)
    .description(
      'time a gateway that is told to end goes on while `/readyz` says 503, so that a load balancer sends no more, in ms',
    ),
  TRUSTED_HOPS: Joi.number()
    .integer()
    .min(0)
    .max(10)
    .default(0)
    .description('proxies in front that add to X-Forwarded-For; 0: the address is that of the connection'),
  CORS_ORIGINS: origins.description(
    'origins whose pages may read answers, as in `https://app.example.com`; empty: none',
  ),
  MAX_CONNECTIONS: Joi.number()
    .integer()
    .min(10)
    .default(10_000)
    .description('connections one gateway holds; more are closed at once'),
  RATE_GUEST: pointsPerMinute(60).description('points a minute of an address without an account'),
  RATE_FREE: pointsPerMinute(60).description('points a minute of a user with plan free'),
  RATE_PLUS: pointsPerMinute(300).description('points a minute of a user with plan plus'),
  RATE_PRO: pointsPerMinute(1_200).description('points a minute of a user with plan pro'),
  RATE_SIGNED: pointsPerMinute(100).description('requests a minute of an address to /v3/ai'),
  RATE_AGENT: pointsPerMinute(60).description(
    'how many of those may come without a signature, from a trusted agent',
  ),
  AI_API_SECRETS: readable(readApiSecrets)
    .allow('')
    .default('')
    .description(
      'secrets that requests to /v3/ai are signed with, as in `first-secret,key:second-secret`: all are valid, one with a key also by `svc-api-key`',
    ),
  AI_TRUSTED_USER_AGENTS: readable(readTrustedAgents)
    .default('ChatGPT-User')
    .description(
      'agents that need no signature at /v3/ai, narrowed to addresses as in `ChatGPT-User@203.0.113.0/24+2001:db8::/32`; `none`: nobody',
    ),
  LOGIN_FAILURES: Joi.number()
    .integer()
    .min(1)
    .max(1_000_000)
    .default(5)
    .description('failed sign-ins at an account from an address within 15 minutes, before it must wait'),
  LOGIN_FAILURES_ADDRESS: Joi.number()
    .integer()
    .min(1)
    .max(1_000_000)
    .default(100)
    .description('failed sign-ins from an address at any accounts within 15 minutes, before it must wait'),
  SIGN_UP: Joi.string()
    .valid('on', 'off')
    .default('on')
    .description('whether anybody can make an account for themselves'),
  IDP_ISSUERS: idpIssuers.description(
    'identity providers that sign users in, as in `https://id.example client-id`, separated by commas; a third word is the address of the keys, where it is not discovered',
  ),
  METRICS_PORT: Joi.number()
    .port()
    .allow(null)
    .default(null)
    .meta({ default: '' })
    .description('port of `/metrics`; empty: nothing is measured; 0 takes a free one'),
  METRICS_HOST: Joi.string()
    .hostname()
    .default('127.0.0.1')
    .description('address `/metrics` binds to; whoever reaches it can read it'),
  OTEL_EXPORTER_OTLP_ENDPOINT: serverUrl(['http', 'https']).description(
    'OpenTelemetry collector, as in `http://127.0.0.1:4318`; empty: nothing is traced',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: serverUrl(['http', 'https']).description(
    'the whole address that spans go to, where it is not `/v1/traces` of the collector',
  ),
});

/** Settings of which nothing is repeated in a message. */
const secretSettings = new Set(['AI_API_SECRETS', 'SECRETS_KEY']);

/** The variables of `env` and, where it has none, of the `.env` file. */
export function readEnvironment(
  env: NodeJS.ProcessEnv = process.env,
  folder = process.cwd(),
): Record<string, string | undefined> {
  const file = resolve(folder, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  // A variable that is there and empty says no more than one that is not.
  const given = Object.entries({ ...fromFile, ...env }).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

const withoutPassword = (text: string) => text.replace(/\/\/.*@/, '//***@');

/**
 * The settings in force: `env` over `.env` over the defaults, paths made absolute.
 * Throws `invalid_settings` with every fault in one message.
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Settings {
  const checked = settingsSchema.validate(readEnvironment(env, folder), {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  if (checked.error) {
    const faults = checked.error.details.map(({ message, context }) =>
      secretSettings.has(context?.key ?? '')
        ? message
        : `${message}, found "${withoutPassword(String(context?.value))}"`,
    );
    throw new AppError('invalid_settings', `settings: ${faults.join('; ')}`);
  }
  const { value } = checked;
  const dataDir = resolve(folder, value.DATA_DIR);
  const serversDir =
    value.SERVERS_DIR === '' ? resolve(dataDir, 'servers') : resolve(folder, value.SERVERS_DIR);
  return { ...value, DATA_DIR: dataDir, SERVERS_DIR: serversDir };
}
