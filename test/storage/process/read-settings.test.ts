import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { settingsSchema } from '../../../storage/process/settings-schema.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { projectRoot } from '../../support/harness/paths.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

interface Described {
  flags?: { description?: string; default?: unknown };
  metas?: { default?: string }[];
}

/** The table rows of SETTINGS.md as they follow from the schema. */
function settingsRows(): string[] {
  const { keys } = settingsSchema.describe() as unknown as { keys: Record<string, Described> };
  return Object.entries(keys).map(([name, { flags, metas }]) => {
    const value = metas?.[0]?.default ?? String(flags?.default);
    return `| ${name} | ${value} | ${flags?.description} |`;
  });
}

/** The table rows of a markdown text that describe settings, with one space around each cell. */
const settingsRowsIn = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => /^\| [A-Z_]+ /.test(line))
    .map((line) => line.replace(/\s*\|\s*/g, ' | ').trim());

describe('readSettings', () => {
  const folder = temporaryFolder();
  const dotEnv = (text: string) => writeFile(join(folder.path, '.env'), text);

  it('says which file it cannot read', () => {
    mkdirSync(join(folder.path, 'other', '.env'), { recursive: true });
    assert.throws(() => readSettings({}, join(folder.path, 'other')), {
      message: `settings: the file "${join(folder.path, 'other', '.env')}" cannot be read: EISDIR`,
    });
  });

  it('has a default for everything, with absolute paths', () => {
    assert.deepEqual(readSettings({}, folder.path), {
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: '',
      REDIS_URL: '',
      REDIS_TAKES: [],
      MONGODB_URL: '',
      DATA_DIR: join(folder.path, '.data'),
      SERVERS_DIR: join(folder.path, '.data/servers'),
      MARKET: 'demo',
      MARKET_PAIRS: '50',
      MARKET_HISTORY_DAYS: 730,
      MARKET_TICK_SECONDS: 10,
      MARKET_BUDGET_PER_MINUTE: 0,
      MARKET_URL: '',
      EXCHANGES: 'BINANCE=binance,KUCOIN=kucoin,BYBIT=bybit',
      ACCOUNT_POLL_SECONDS: 60,
      PAPER_BALANCE: '10000',
      SECRETS_KEY: '',
      LIVE_TRADING: 'off',
      STOP_MOVE_SECONDS: 10,
      PRICE_AGE_SECONDS: 10,
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'auto',
      THREADS: availableParallelism(),
      THREAD_MEMORY_MB: 512,
      CANDLE_CACHE_MB: 256,
      CORS_ORIGINS: [],
      MAX_CONNECTIONS: 10_000,
      MAX_CONNECTIONS_NETWORK: 1_000,
      MAX_REQUESTS: 64,
      MAX_STREAMS: 2_000,
      RESPONSE_TIMEOUT_MS: 20_000,
      RESULT_CACHE_MB: 64,
      BACKTEST_TIMEOUT_MS: 60_000,
      QUEUES: ['analysis', 'backtest', 'scan', 'signals', 'market'],
      QUEUE_DEPTH: 1_000,
      LEAVE_MS: 0,
      IDP_ISSUERS: '',
      SMTP_URL: '',
      MAIL_FROM: 'Tidemark <no-reply@tidemark.local>',
      LOGIN_FAILURES: 5,
      LOGIN_FAILURES_ADDRESS: 100,
      SIGN_UP: 'on',
      TRUSTED_HOPS: 0,
      RATE_GUEST: 60,
      RATE_PAGES: 400,
      RATE_FREE: 60,
      RATE_PLUS: 300,
      RATE_PRO: 1_200,
      RATE_SIGNED: 100,
      RATE_AGENT: 60,
      RATE_HOSTED: 600,
      RATE_SIGNALS: 100,
      RATE_COMMANDS: 600,
      RATE_OAUTH: 20,
      RATE_UNPRICED: 600,
      AI_API_SECRETS: '',
      AI_TRUSTED_USER_AGENTS: 'ChatGPT-User',
      PARTNER_SIGNATURES: 'allow',
      METRICS_PORT: null,
      MCP_HOSTED_CLIENTS: '',
      MCP_HOSTS: [],
      ASSISTANT_BASE_URL: '',
      ASSISTANT_API_KEY: '',
      ASSISTANT_MODEL: '',
      ASSISTANT_MODEL_CALLS: 8,
      ASSISTANT_TIMEOUT_MS: 30_000,
      ASSISTANT_TOKENS_GUEST: 200_000,
      ASSISTANT_TOKENS_FREE: 1_000_000,
      ASSISTANT_TOKENS_PLUS: 5_000_000,
      ASSISTANT_TOKENS_PRO: 20_000_000,
      ASSISTANT_TOKENS_ALL: 200_000_000,
      CONVERSATION_DAYS: 90,
      METRICS_HOST: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '',
    });
  });

  it('takes the environment before .env, and .env before the default', async () => {
    await dotEnv('PORT=4000\nHOST="0.0.0.0" # everywhere\nexport MARKET=csv\n');
    const { PORT, HOST, MARKET, LOG_LEVEL } = readSettings({ PORT: '5000' }, folder.path);
    assert.deepEqual(
      { PORT, HOST, MARKET, LOG_LEVEL },
      { PORT: 5000, HOST: '0.0.0.0', MARKET: 'csv', LOG_LEVEL: 'info' },
    );
  });

  it('names every fault at once, of the environment and of .env', async () => {
    await dotEnv('THREADS=0\nQUEUE_DEPTH=1.5\n');
    const env = { PORT: '70000', MARKET: 'moon', LOG_LEVEL: 'loud', REDIS_URL: 'localhost:6379' };
    const wrong = ['PORT', 'MARKET', 'LOG_LEVEL', 'REDIS_URL', 'THREADS', 'QUEUE_DEPTH'];
    assert.throws(
      () => readSettings(env, folder.path),
      ({ code, message }: { code: string; message: string }) => {
        assert.equal(code, 'invalid_settings');
        assert.deepEqual(
          wrong.filter((name) => !message.includes(`${name} must`)),
          [],
        );
        assert.match(message, /^settings: .*found "70000".*found "moon"/);
        return !message.includes('\n');
      },
    );
  });

  it('takes secrets from the files that NAME_FILE names, one for each', async () => {
    const path = join(folder.path, 'secret');
    await writeFile(path, 'redis://files:6379\n');
    await writeFile(join(folder.path, 'empty'), '\n');
    assert.equal(readSettings({ REDIS_URL_FILE: 'secret' }, folder.path).REDIS_URL, 'redis://files:6379');
    const env = {
      ...{ MONGODB_URL_FILE: path, SMTP_URL_FILE: 'none', AI_API_SECRETS_FILE: 'empty' },
      ...{ REDIS_URL: 'redis://given:6379', REDIS_URL_FILE: path, PORT_FILE: 'ignored' },
    };
    assert.throws(() => readSettings(env, folder.path), {
      code: 'invalid_settings',
      message:
        'settings: the file "empty" (AI_API_SECRETS_FILE) is empty; ' +
        'the file "none" (SMTP_URL_FILE) cannot be read: ENOENT; ' +
        'REDIS_URL and REDIS_URL_FILE are both set: remove one; ' +
        'MONGODB_URL must be an address of MongoDB (mongodb://... or mongodb+srv://...), found "redis://files:6379"',
    });
  });

  it('needs in production what otherwise is made on this machine, and names all of it at once', () => {
    assert.throws(
      () => readSettings({ NODE_ENV: 'production', REDIS_URL: 'redis://a', PORT: '-1' }, folder.path),
      {
        message:
          'settings: SECRETS_KEY must be set where NODE_ENV is production; MONGODB_URL must be set where NODE_ENV is production; ' +
          'PUBLIC_URL must be set where NODE_ENV is production; PORT must be a valid port, found "-1"',
      },
    );
    const env = {
      SECRETS_KEY: '0f'.repeat(32),
      REDIS_URL: 'redis://a',
      MONGODB_URL: 'mongodb://a',
      PUBLIC_URL: 'https://a.example',
    };
    assert.equal(
      readSettings({ NODE_ENV: 'production', ...env }, folder.path).PUBLIC_URL,
      'https://a.example',
    );
  });

  it('takes a variable that is empty as one that is not there', () => {
    assert.equal(readSettings({ PORT: '', MARKET: '' }, folder.path).PORT, 3000);
  });

  it('takes the id of an exchange for MARKET, and names some where it knows none of that name', () => {
    for (const MARKET of ['demo', 'csv', 'binance', 'kraken', 'okx']) {
      assert.equal(readSettings({ MARKET }, folder.path).MARKET, MARKET);
    }
    for (const MARKET of ['moon', 'Binance', 'base', '../binance', 'binance.js', 'constructor']) {
      assert.throws(() => readSettings({ MARKET }, folder.path), {
        code: 'invalid_settings',
        message: `settings: MARKET must be demo, csv or the id of an exchange that ccxt knows (binance, bitget, bybit, coinbase, gate, kraken, kucoin, okx and others), found "${MARKET}"`,
      });
    }
  });

  it('takes pairs or a number of them for MARKET_PAIRS', () => {
    for (const MARKET_PAIRS of ['BTC/USDT', 'BTC/USDT, eth/usdt', '1', '1000']) {
      assert.equal(readSettings({ MARKET_PAIRS }, folder.path).MARKET_PAIRS, MARKET_PAIRS);
    }
    for (const MARKET_PAIRS of [
      '0',
      '1001',
      '-1',
      '1.5',
      'BTC',
      'BTC/USDT,',
      'BTC-USDT',
      'BTC/USDT/X',
      '$ne/X',
    ]) {
      assert.throws(() => readSettings({ MARKET_PAIRS }, folder.path), {
        code: 'invalid_settings',
        message: `settings: MARKET_PAIRS must be pairs as in BTC/USDT,ETH/USDT or a number from 1 to 1000, found "${MARKET_PAIRS}"`,
      });
    }
  });

  it('takes some of the queues for QUEUES, and no others', () => {
    for (const [QUEUES, queues] of [
      ['backtest', ['backtest']],
      [' market, scan,analysis,scan ', ['analysis', 'scan', 'market']],
      ['', ['analysis', 'backtest', 'scan', 'signals', 'market']],
    ] as const)
      assert.deepEqual(readSettings({ QUEUES }, folder.path).QUEUES, queues);
    for (const [QUEUES, unknown] of [
      ['backtests', 'backtests'],
      ['analysis,Backtest', 'Backtest'],
      ['backtest,', ''],
      ['schedules', 'schedules'],
      ['constructor', 'constructor'],
    ] as const)
      assert.throws(() => readSettings({ QUEUES }, folder.path), {
        code: 'invalid_settings',
        message: `settings: QUEUES is not understood: expected queues out of analysis, backtest, scan, signals, market, found "${unknown}", found "${QUEUES}"`,
      });
  });

  it('takes exchanges by name and ccxt id, each name once', () => {
    for (const EXCHANGES of ['BINANCE=binance', 'A=okx, B=okx@http://127.0.0.1:9/x', 'X_1=kraken']) {
      assert.equal(readSettings({ EXCHANGES }, folder.path).EXCHANGES, EXCHANGES);
    }
    const wrong: [text: string, why: string][] = [
      ['binance', 'expected a name and an id as in BINANCE=binance, found "binance"'],
      ['binance=binance', 'expected a name and an id as in BINANCE=binance, found "binance=binance"'],
      ['MOON=moon', 'ccxt knows no exchange "moon"'],
      ['A=okx,A=kraken', 'the name "A" is taken'],
      ['PAPER=okx', 'the name "PAPER" is taken'],
    ];
    for (const [EXCHANGES, why] of wrong) {
      const message = `settings: EXCHANGES is not understood: ${why}, found "${EXCHANGES}"`;
      assert.throws(() => readSettings({ EXCHANGES }, folder.path), { code: 'invalid_settings', message });
    }
  });

  it('takes keys of 32 bytes, and keeps faulty ones to itself', () => {
    const [hex, base64] = ['0f'.repeat(32), Buffer.alloc(32, 7).toString('base64')];
    const SECRETS_KEY = `${hex}, ${base64}`;
    assert.equal(readSettings({ SECRETS_KEY }, folder.path).SECRETS_KEY, SECRETS_KEY);
    assert.throws(() => readSettings({ SECRETS_KEY: `${hex},s3cret` }, folder.path), {
      code: 'invalid_settings',
      message: 'settings: SECRETS_KEY is not understood: key 2 is not 32 bytes in hex or base64',
    });
  });

  it('takes a decimal for the paper balance', () => {
    assert.equal(readSettings({ PAPER_BALANCE: '0.5' }, folder.path).PAPER_BALANCE, '0.5');
    for (const PAPER_BALANCE of ['1e4', '-x', '1.', 'NaN'])
      assert.throws(() => readSettings({ PAPER_BALANCE }, folder.path), { code: 'invalid_settings' });
  });

  it('refuses texts that are not numbers', () => {
    for (const PORT of ['x', '0x10', '1e9', '-1', '3000.5', 'NaN', '3000;']) {
      assert.throws(() => readSettings({ PORT }, folder.path), { code: 'invalid_settings' }, PORT);
    }
    assert.equal(readSettings({ PORT: '0' }, folder.path).PORT, 0);
  });

  it('makes paths absolute from the folder it is given', () => {
    const { DATA_DIR, SERVERS_DIR } = readSettings({ DATA_DIR: '../x', SERVERS_DIR: 's' }, '/a/b');
    assert.deepEqual({ DATA_DIR, SERVERS_DIR }, { DATA_DIR: '/a/x', SERVERS_DIR: '/a/b/s' });
    assert.equal(readSettings({ DATA_DIR: '/data' }, '/a').SERVERS_DIR, '/data/servers');
  });

  it('leaves what it does not know alone', () => {
    assert.equal('HOME' in readSettings({ HOME: '/root', npm_config_x: '' }, folder.path), false);
  });

  it('takes the addresses of databases as their drivers do', () => {
    for (const MONGODB_URL of [
      'mongodb://127.0.0.1:27017/tidemark',
      'mongodb+srv://user:p%40ss@cluster.example.com/tidemark?w=majority',
      'mongodb://a,b/tidemark',
      'mongodb://a.example.com:27017,b.example.com:27018/tidemark?replicaSet=rs',
      'mongodb://user:secret@a:27017,b:27017,c:27017/tidemark',
    ]) {
      assert.equal(readSettings({ MONGODB_URL }, folder.path).MONGODB_URL, MONGODB_URL);
    }
    const REDIS_URL = 'rediss://:secret@cache.example.com:6380/2';
    assert.equal(readSettings({ REDIS_URL }, folder.path).REDIS_URL, REDIS_URL);
  });

  it('keeps the password of a faulty address to itself', () => {
    const given = { MONGODB_URL: 'mongo://ada:s3cret@host/', REDIS_URL: 'http://:s3cret@host' };
    assert.throws(
      () => readSettings(given, folder.path),
      ({ message }: Error) => message.includes('MONGODB_URL') && !message.includes('s3cret'),
    );
  });
});

describe('settingsSchema', () => {
  it('has a sentence for every setting', () => {
    const { keys } = settingsSchema.describe() as {
      keys: Record<string, { flags?: { description?: string } }>;
    };
    const silent = Object.keys(keys).filter((name) => !keys[name].flags?.description);
    assert.deepEqual(silent, []);
  });

  it('is described in SETTINGS.md: every setting, and no other', async () => {
    const page = await readFile(join(projectRoot, 'storage/process/SETTINGS.md'), 'utf8');
    assert.deepEqual(settingsRowsIn(page), settingsRows());
  });
});
