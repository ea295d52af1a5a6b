import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BookAccount } from '../../support/fake-exchange/book/matching-engine.js';
import { FakeExchange } from '../../support/fake-exchange/fake-exchange.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { adminCommands } from './run-admin.js';

const apiKey = 'K'.repeat(64);
const secret = 'S'.repeat(64);

describe('admin connection and paper', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const folder = temporaryFolder();
  const runCommand = adminCommands();
  let redisUrl: string;
  let exchange: FakeExchange;
  let account: BookAccount;

  before(async () => {
    redisUrl = await freshRedisUrl();
    await context.storage.users.add({ email: 'ada@example.com', plan: 'free', passwordHash: 'x' });
    const candles = randomCandles(48);
    await context.storage.candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, candles);
  });
  beforeEach(async () => {
    exchange = await FakeExchange.open([]);
    account = exchange.account({ apiKey, secret });
  });
  afterEach(() => exchange.close());

  const admin = (args: string[], input = '') =>
    runCommand(args, {
      folder: folder.path,
      input,
      env: {
        REDIS_URL: redisUrl,
        MONGODB_URL: context.url,
        MARKET: 'csv',
        EXCHANGES: `BINANCE=binance@${exchange.url}`,
      },
    });
  const email = ['--email', 'ada@example.com'];
  const add = (file: string, input?: string) =>
    admin(
      [...['connection', 'add', ...email, '--exchange', 'BINANCE', '--key', apiKey], '--secret-file', file],
      input,
    );

  it('connect an exchange with the secret from a file or standard input, and show no key', async () => {
    await writeFile(join(folder.path, 'secret'), `${secret}\n`);
    assert.deepEqual(await add('secret'), {
      code: 0,
      stdout: 'connected BINANCE for ada@example.com\n',
      stderr: '',
    });
    const listed = await admin(['connection', 'list', ...email, '--json']);
    assert.deepEqual(
      (JSON.parse(listed.stdout) as { exchange: string }[]).map((each) => each.exchange),
      ['PAPER', 'BINANCE'],
    );
    const lines = await admin(['connection', 'list', ...email]);
    assert.equal(lines.stdout, 'PAPER: may trade, simulated\nBINANCE: may trade, not read yet\n');
    for (const { stdout } of [listed, lines]) assert.ok(!stdout.includes(apiKey) && !stdout.includes(secret));
    const removed = await admin(['connection', 'remove', ...email, '--exchange', 'BINANCE']);
    assert.equal(removed.stdout, 'removed BINANCE of ada@example.com\n');
    assert.equal((await add('-', `${secret}\n`)).code, 0);
    await admin(['connection', 'remove', ...email, '--exchange', 'BINANCE']);
  });

  it('say in a sentence why a key is not taken', async () => {
    account.setup.mayWithdraw = true;
    assert.deepEqual(await add('-', secret), {
      code: 1,
      stdout: '',
      stderr: 'error: this key may withdraw from BINANCE; make a key that may only read and trade\n',
    });
    assert.match((await add('nowhere')).stderr, /^error: "nowhere" cannot be read/);
    assert.equal((await add('-', '\n')).stderr, 'error: standard input is empty\n');
    assert.equal(
      (await add('-', 'a\nb')).stderr,
      'error: "apiSecret" must be printable ASCII in one line, or a private key in PEM form\n',
    );
    const split = ['connection', 'add', ...email, '--exchange', 'BINANCE', '--key', 'a\nb'];
    assert.equal(
      (await admin([...split, '--secret-file', '-'], secret)).stderr,
      'error: "apiKey" must be printable ASCII in one line\n',
    );
    const stranger = await admin(['connection', 'list', '--email', 'eve@example.com']);
    assert.equal(stranger.stderr, 'error: there is no user "eve@example.com"\n');
    assert.equal(await context.db.collection('connections').countDocuments(), 0);
  });

  it('give a paper account what it is to hold', async () => {
    const hold = (asset: string, quantity: string) =>
      admin(['paper', 'hold', ...email, '--asset', asset, '--quantity', quantity]);
    assert.equal((await hold('BTC', '0.5')).stdout, 'ada@example.com holds 0.5 BTC more on paper\n');
    const user = await context.storage.users.byEmail('ada@example.com');
    const found = await context.storage.positions.find(user!.id);
    assert.deepEqual(
      found!.positions.map(({ coin, quantity, pnl }) => [coin, quantity, pnl]),
      [['BTC', 0.5, 0]],
    );
    assert.match((await hold('btc', '1')).stderr, /^error: --asset must be a symbol in upper case/);
    assert.match((await hold('MOON', '1')).stderr, /^error: there is no price of "MOON"/);
    assert.match((await hold('BTC', '1e3')).stderr, /^error: "quantity" has to be a decimal/);
  });
});
