import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasProcFolder } from '../../../storage/embedded/orphans.js';
import { passwordMatches } from '../../../storage/users/password.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { freshRedisUrl, serversDir } from '../../support/servers/servers.js';
import { projectRoot } from '../../support/harness/paths.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { withoutCandles } from '../../storage/candles/candle-parts.js';
import { csvLines, header, writeCsv } from '../../support/candles/candle-files.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { adminCommands, runAdmin } from './run-admin.js';

describe('admin', function () {
  this.timeout(60_000);

  const context = temporaryStorage();
  const folder = temporaryFolder();
  const runCommand = adminCommands();
  let redisUrl: string;
  before(async () => (redisUrl = await freshRedisUrl()));

  const admin = (...args: string[]) =>
    runCommand(args, {
      folder: folder.path,
      env: { REDIS_URL: redisUrl, MONGODB_URL: context.url, MARKET: 'csv' },
    });
  const importArgs = (file: string, pair = 'BTC/USDT', interval = '1h') => [
    ...['candles', 'import', '--pair', pair, '--interval', interval],
    ...['--file', file],
  ];

  it('tells every faulty setting in one sentence', async () => {
    const env = { PORT: 'x', MONGODB_URL: 'nowhere' };
    const { code, stdout, stderr } = await runAdmin(['candles', 'status'], { folder: folder.path, env });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^error: settings: PORT must be a number, found "x"; MONGODB_URL must be .*\n$/);
  });

  describe('user add', () => {
    const add = (email: string, password: string, ...more: string[]) =>
      admin('user', 'add', '--email', email, '--password', password, ...more);

    it('adds a user who can sign in, once', async () => {
      assert.deepEqual(await add('Ada@example.com', 'correct horse', '--plan', 'plus'), {
        code: 0,
        stdout: 'added user ada@example.com with plan plus\n',
        stderr: '',
      });
      const user = await context.storage.users.byEmail('ada@example.com');
      assert.equal(user?.plan, 'plus');
      assert.equal(await passwordMatches('correct horse', user.passwordHash), true);
      assert.deepEqual(await add('ada@EXAMPLE.com', 'another one'), {
        code: 1,
        stdout: '',
        stderr: 'error: user "ada@example.com" exists already\n',
      });
    });

    it('prints JSON when asked to, with plan free unless told otherwise', async () => {
      const { code, stdout, stderr } = await add('joe@example.com', 'gy5-Kq2!', '--json');
      assert.deepEqual([code, stderr], [0, '']);
      const { id } = (await context.storage.users.byEmail('joe@example.com'))!;
      assert.deepEqual(JSON.parse(stdout), {
        userid: id,
        email: 'joe@example.com',
        plan: 'free',
        operator: false,
      });
    });

    it('adds an operator', async () => {
      const { stdout } = await add('op@example.com', 'correct horse', '--operator', 'yes');
      assert.equal(stdout, 'added user op@example.com with plan free, an operator\n');
      assert.equal((await context.storage.users.byEmail('op@example.com'))!.operator, true);
    });

    it('refuses bad values in one sentence without the password in it', async () => {
      const wrong: [args: [string, string, ...string[]], stderr: string][] = [
        [['nobody', 'correct horse'], 'error: "email" must be a valid email\n'],
        [['eve@example.com', '1234567'], 'error: "password" must be at least 8 bytes in UTF-8\n'],
        [
          ['eve@example.com', 'gy5-Kq2!', '--plan', 'gold'],
          'error: "plan" must be one of [free, plus, pro]\n',
        ],
      ];
      const results = await Promise.all(wrong.map(([args]) => add(...args)));
      assert.deepEqual(
        results,
        wrong.map(([, stderr]) => ({ code: 1, stdout: '', stderr })),
      );
      assert.equal(await context.storage.users.byEmail('eve@example.com'), null);
    });
  });

  describe('candles import', () => {
    const candles = withoutCandles(randomCandles(50), [10, 11, 30]);
    const lines = () => [header, ...csvLines(candles), 'broken', csvLines(candles)[0]];

    it('says rows read, stored, already there, refused and why, and the gaps', async () => {
      const file = await writeCsv(folder.path, 'candles.csv.gz', lines());
      const gaps = `stored now: 47 candles from 2024-01-01T00:00:00.000Z to 2024-01-03T01:00:00.000Z, 3 missing in 2 gaps
  gap of 2 between 2024-01-01T09:00:00.000Z and 2024-01-01T12:00:00.000Z
  gap of 1 between 2024-01-02T05:00:00.000Z and 2024-01-02T07:00:00.000Z
`;
      assert.deepEqual(await admin(...importArgs('candles.csv.gz')), {
        code: 0,
        stdout: `BTC/USDT 1h: 49 rows read, 47 stored, 1 already there, 1 refused
  refused 1: time is neither a date nor a number of a known unit (line 49)
${gaps}`,
        stderr:
          'BTC/USDT: detected: separated by commas, names in line 1, time in "time" as milliseconds, volume in "volume"\nBTC/USDT: 49 rows read, 47 stored\n',
      });
      assert.deepEqual(await admin(...importArgs(file)), {
        code: 0,
        stdout: `BTC/USDT 1h: 49 rows read, 0 stored, 48 already there, 1 refused
  refused 1: time is neither a date nor a number of a known unit (line 49)
${gaps}`,
        stderr:
          'BTC/USDT: detected: separated by commas, names in line 1, time in "time" as milliseconds, volume in "volume"\nBTC/USDT: 49 rows read, 0 stored\n',
      });
      const stored = await context.storage.candles.load({
        market: 'csv',
        base: 'BTC',
        quote: 'USDT',
        interval: '1h',
      });
      assert.deepEqual(stored?.candles, candles);
    });

    it('says the same as JSON', async () => {
      const file = await writeCsv(folder.path, 'candles.csv', lines());
      const { code, stdout } = await admin(...importArgs(file, 'ETH/BTC'), '--json');
      assert.equal(code, 0);
      assert.deepEqual(JSON.parse(stdout), {
        pair: 'ETH/BTC',
        interval: '1h',
        format: 'separated by commas, names in line 1, time in "time" as milliseconds, volume in "volume"',
        read: 49,
        stored: 47,
        alreadyThere: 1,
        refused: 1,
        refusals: [
          { reason: 'time is neither a date nor a number of a known unit', lines: 1, firstLines: [49] },
        ],
        missing: 3,
        gaps: [
          { after: '2024-01-01T09:00:00.000Z', next: '2024-01-01T12:00:00.000Z', missing: 2 },
          { after: '2024-01-02T05:00:00.000Z', next: '2024-01-02T07:00:00.000Z', missing: 1 },
        ],
        first: '2024-01-01T00:00:00.000Z',
        last: '2024-01-03T01:00:00.000Z',
        count: 47,
      });
    });

    it('imports the files of a folder by their names, and says what gives way to candles of 1h', async () => {
      const fixtures = join(projectRoot, 'test/fixtures/candle-files');
      for (const [from, to] of [
        ['BTC_USDT-5m.json.gz', 'SOL_USDT-5m.json.gz'],
        ['BTCUSDT-1h-2024-01.zip', 'SOLUSDT-1h-2024-01.zip'],
        ['BTCUSDT-1h-2025-01.zip', 'SOLUSDT-1h-2025-01.zip'],
      ])
        await copyFile(join(fixtures, from), join(folder.path, to));
      const args = ['candles', 'import', '--file', folder.path];
      const short = await admin(...args, '--interval', '5m');
      assert.deepEqual(
        [short.code, short.stdout.split('\n')[0]],
        [0, 'SOL/USDT 5m: 300 rows read, 300 stored, 0 already there, 0 refused'],
      );
      const { code, stdout } = await admin(...args, '--interval', '1h');
      const [first, replaced, second, stored] = stdout.split('\n');
      assert.deepEqual(
        [code, first, second],
        [
          0,
          'SOL/USDT 1h: 100 rows read, 100 stored, 0 already there, 0 refused',
          'SOL/USDT 1h: 60 rows read, 60 stored, 0 already there, 0 refused',
        ],
      );
      // 300 candles of 5m are 25 hours, at prices of another asset.
      assert.equal(
        replaced,
        '  25 of them replace candles made of shorter ones; 25 of those differed, by at most 100 % in a price and 99.9 % in volume',
      );
      assert.match(
        stored,
        /^stored now: 160 candles from 2024-01-01T00:00:00.000Z to 2025-01-03T11:00:00.000Z/,
      );
      const again = await admin(...args, '--json');
      const counts = (JSON.parse(again.stdout) as { alreadyThere: number; file: string }[]).map(
        ({ alreadyThere, file }) => [basename(file), alreadyThere],
      );
      assert.deepEqual(counts, [
        ['SOLUSDT-1h-2024-01.zip', 100],
        ['SOLUSDT-1h-2025-01.zip', 60],
        ['SOL_USDT-5m.json.gz', 300],
      ]);
    });

    it('fails when nothing of a file is imported, and says why', async () => {
      await writeCsv(folder.path, 'refused.csv', [header, 'broken', 'broken', '1704067200,1,1,1,1,x']);
      await writeCsv(folder.path, 'no-rows.csv', [header]);
      const refusals =
        'refused 2: time is neither a date nor a number of a known unit (line 2, 3); refused 1: volume is not a number (line 4)';
      const wrong: [file: string, time: string, why: string][] = [
        ['refused.csv', '"time" as seconds', `3 rows read; ${refusals}`],
        ['no-rows.csv', '"time"', '0 rows read'],
      ];
      for (const [file, time, why] of wrong)
        assert.deepEqual(await admin(...importArgs(file)), {
          code: 1,
          stdout: '',
          stderr: `BTC/USDT: detected: separated by commas, names in line 1, time in ${time}, volume in "volume"\nerror: nothing of "${file}" was imported: ${why}\n`,
        });
    });

    it('imports the export of a program by what is given of its format, and fails where too little is', async () => {
      const at = (hour: number) => `03/04/2024 0${hour}:00;1,500;2,000;1,250;1,750;8`;
      const file = await writeCsv(folder.path, 'export.csv', [
        '# export',
        'T;O;H;L;C;V',
        at(1),
        at(2),
        'broken',
      ]);
      const args = importArgs(file, 'ADA/USDT');
      assert.deepEqual(await admin(...args), {
        code: 1,
        stdout: '',
        stderr: `error: "${file}" can't be read: "1,500" may be a fraction or thousands; say what its comma is by --decimal-mark (0 rows read, 0 stored before that)\n`,
      });
      assert.deepEqual(await admin(...args, '--decimal-mark', 'comma'), {
        code: 1,
        stdout: '',
        stderr: `error: "${file}" can't be read: "03/04/2024 01:00" may have the day or the month first; say which by --date-order (0 rows read, 0 stored before that)\n`,
      });
      const given = ['--decimal-mark', 'comma', '--date-order', 'day-first', '--delimiter', 'semicolon'];
      const { code, stdout, stderr } = await admin(
        ...args,
        ...given,
        '--columns',
        'time,open,high,low,close,volume',
      );
      assert.equal(
        stderr,
        'ADA/USDT: detected: separated by semicolons, columns as given, time in column 1 as dates, day first, volume in column 6, decimal commas\nADA/USDT: 3 rows read, 2 stored\n',
      );
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^ADA\/USDT 1h: 3 rows read, 2 stored, 0 already there, 1 refused\n {2}refused 1: time is neither .* \(line 5\)\nstored now: 2 candles from 2024-04-03T01:00:00.000Z to 2024-04-03T02:00:00.000Z/,
      );
      const stored = await context.storage.candles.load({
        market: 'csv',
        base: 'ADA',
        quote: 'USDT',
        interval: '1h',
      });
      assert.deepEqual(Array.from(stored!.candles.open), [1.5, 1.5]);
    });

    it('refuses options of the format that it does not know', async () => {
      const wrong: [args: [string, string], stderr: string][] = [
        [
          ['--columns', 'time,open,high,low,close'],
          '--columns must be each of time,open,high,low,close,volume once, in the order of the file, and - for any other column, found "time,open,high,low,close"',
        ],
        [['--delimiter', 'x'], '--delimiter must be comma, semicolon, tab or bar, found "x"'],
        [['--time-unit', 'h'], '"time-unit" must be one of [s, ms, us, ns]'],
        [['--date-order', 'x'], '"date-order" must be one of [day-first, month-first]'],
        [['--decimal-mark', 'x'], '"decimal-mark" must be one of [point, comma]'],
      ];
      const results = await Promise.all(wrong.map(([args]) => admin(...importArgs('x.csv'), ...args)));
      assert.deepEqual(
        results,
        wrong.map(([, message]) => ({ code: 1, stdout: '', stderr: `error: ${message}\n` })),
      );
    });

    it('refuses another interval, a pair that is none, and a file it cannot read', async () => {
      const file = join(folder.path, 'missing.csv');
      const wrong: [args: string[], stderr: string][] = [
        [
          importArgs(file, 'BTC/USDT', '4h'),
          'error: --interval must be 5m, 15m or 1h (4h and 1d candles are made from those of 1h), found "4h"\n',
        ],
        [
          importArgs(file, 'btcusdt'),
          'error: --pair must be two symbols in upper case, as in BTC/USDT, found "btcusdt"\n',
        ],
        [
          importArgs(file),
          `error: "${file}" can't be read: ENOENT: no such file or directory, stat '${file}'\n`,
        ],
      ];
      const results = await Promise.all(wrong.map(([args]) => admin(...args)));
      assert.deepEqual(
        results,
        wrong.map(([, stderr]) => ({ code: 1, stdout: '', stderr })),
      );
    });
  });

  describe('candles status', () => {
    it('lists what is stored', async () => {
      await context.db.collection('candles').deleteMany({});
      await context.db.collection('series').deleteMany({});
      const pair = { market: 'csv', base: 'SOL', quote: 'USDT' } as const;
      assert.equal((await admin('candles', 'status')).stdout, 'no candles are stored\n');
      await context.storage.candles.add(pair, withoutCandles(randomCandles(10), [3]));
      const [people, program] = await Promise.all([
        admin('candles', 'status'),
        admin('candles', 'status', '--json'),
      ]);
      assert.deepEqual(people, {
        code: 0,
        stdout: `market  pair      interval  count  first                     last                      missing  gaps
csv     SOL/USDT  1h        9      2024-01-01T00:00:00.000Z  2024-01-01T09:00:00.000Z  1        1
csv     SOL/USDT  4h        2      2024-01-01T00:00:00.000Z  2024-01-01T04:00:00.000Z  0        0
`,
        stderr: '',
      });
      const first = '2024-01-01T00:00:00.000Z';
      assert.deepEqual(JSON.parse(program.stdout), [
        {
          market: 'csv',
          pair: 'SOL/USDT',
          interval: '1h',
          count: 9,
          first,
          last: '2024-01-01T09:00:00.000Z',
          missing: 1,
          gaps: 1,
        },
        {
          market: 'csv',
          pair: 'SOL/USDT',
          interval: '4h',
          count: 2,
          first,
          last: '2024-01-01T04:00:00.000Z',
          missing: 0,
          gaps: 0,
        },
      ]);
    });
  });
});

describe('admin without addresses of servers', function () {
  this.timeout(60_000);

  const folder = temporaryFolder();

  /** Programs that name the folder in their command line. */
  const left = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder.path);
        } catch {
          return false;
        }
      });

  it('starts servers and stops them again', async () => {
    const env = { DATA_DIR: 'data', SERVERS_DIR: serversDir };
    const add = ['user', 'add', '--email', 'ada@example.com', '--password', 'correct horse'];
    const first = await runAdmin(add, { folder: folder.path, env });
    assert.deepEqual(
      [first.code, first.stdout],
      [0, 'added user ada@example.com with plan free\n'],
      first.stderr,
    );
    const files = readdirSync(join(folder.path, 'data'));
    assert.deepEqual(
      files.filter((name) => name.startsWith('lock') || name.startsWith('run')),
      [],
    );
    if (hasProcFolder) assert.deepEqual(left(), []);
  });
});
