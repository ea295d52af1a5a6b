import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { BacktestWriter } from '../../../storage/backtests/backtest-writer.js';
import type { RunBacktest } from '../../../storage/backtests/backtests.js';
import { mostReportBytes } from '../../../storage/backtests/report-text.js';
import { openStorage, type Storage } from '../../../storage/index.js';
import { numberedBacktest, numberedId } from '../../support/backtests/numbered-backtests.js';
import { logLines } from '../../support/process/log-lines.js';
import { until } from '../../support/process/until.js';
import { OwnServer } from '../../support/servers/own-server.js';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('the writer of backtests', function () {
  this.timeout(60_000);
  let server: OwnServer;
  let storage: Storage;
  let isAway = false;
  before(async () => {
    server = await OwnServer.open('mongodb');
    storage = openStorage(server.url, { timeoutMs: 2_000 });
    await storage.migrate();
  });
  beforeEach(async () => {
    if (isAway) await server.start();
    isAway = false;
    await until('MongoDB', () =>
      storage.ping().then(
        () => true,
        () => false,
      ),
    );
  });
  after(async () => {
    await storage.close();
    await server.close();
  });

  const kill = async () => {
    await server.kill();
    isAway = true;
  };
  let users = 0;
  const freshUser = () => `writer-${++users}`;
  const countOf = async (userId: string) =>
    (await storage.backtests.list(userId, 'builtIn', { limit: 300 })).backtests.length;
  const open = (mostCharacters?: number) => {
    const { log, lines } = logLines();
    const { backtests } = storage;
    const writer = new BacktestWriter({ backtests, log, ...(mostCharacters ? { mostCharacters } : {}) });
    return { writer, lines };
  };

  it('stores beside the caller, and lets readers wait for what their user has run', async () => {
    const { writer, lines } = open();
    const [userId, other] = [freshUser(), freshUser()];
    for (const n of upTo(150)) writer.keep(numberedBacktest(userId, n));
    writer.keep(numberedBacktest(other, 1));
    assert.equal(await countOf(userId), 0);
    await writer.settled(userId);
    assert.equal(await countOf(userId), 150);
    await writer.settled(other);
    assert.equal(await countOf(other), 1);
    await writer.settled('nobody');
    await writer.close();
    assert.deepEqual(lines, []);
  });

  it('writes the first run at once, and later ones together, unless a reader waits', async () => {
    const userId = freshUser();
    const writes: number[] = [];
    const backtests = {
      add: async (runs: readonly RunBacktest[]) => {
        writes.push(runs.length);
        return storage.backtests.add(runs);
      },
    };
    const writer = new BacktestWriter({ backtests, log: logLines().log });
    writer.keep(numberedBacktest(userId, 0));
    await until('the first write', () => writes.length === 1);
    for (const n of [1, 2, 3]) {
      writer.keep(numberedBacktest(userId, n));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(writes, [1]);
    await until('the second write', () => writes.length === 2);
    await writer.close();
    assert.deepEqual(writes, [1, 3]);

    const slow = new BacktestWriter({ backtests, log: logLines().log, spacingMs: 3_600_000 });
    for (const n of [4, 5]) {
      slow.keep(numberedBacktest(userId, n));
      await slow.settled(userId);
    }
    assert.deepEqual(writes, [1, 3, 1, 1]);
    // A full batch does not wait either.
    for (let n = 6; n < 56; n++) slow.keep(numberedBacktest(userId, n));
    await until('a full batch', () => writes.length === 5);
    slow.keep(numberedBacktest(userId, 56));
    await slow.close();
    assert.deepEqual(writes, [1, 3, 1, 1, 50, 1]);
    assert.equal(await countOf(userId), 57);
  });

  it('keeps what it cannot write while MongoDB does not answer, and holds no reader up', async () => {
    const { writer, lines } = open();
    const userId = freshUser();
    await kill();
    for (const n of upTo(3)) writer.keep(numberedBacktest(userId, n));
    // MongoDB comes back only after that.
    await writer.settled(userId);
    await server.start();
    isAway = false;
    const isStored = async () => {
      assert.deepEqual(lines, []);
      return (await countOf(userId).catch(() => 0)) === 3;
    };
    await until('all three', isStored);
    await writer.close();
    assert.deepEqual(lines, []);
  });

  it('tries again what is refused, and logs what is refused three times', async () => {
    const userId = freshUser();
    const { log, lines } = logLines();
    let [tries, refusals] = [0, 2];
    const backtests = {
      async add(runs: readonly RunBacktest[]) {
        if (tries++ < refusals) throw new Error('not now');
        return storage.backtests.add(runs);
      },
    };
    const writer = new BacktestWriter({ backtests, log });
    writer.keep(numberedBacktest(userId, 1));
    await until('the third try', async () => (await countOf(userId)) === 1);
    assert.equal(lines.length, 0);
    [tries, refusals] = [0, 3];
    writer.keep(numberedBacktest(userId, 2));
    await until('the log', () => lines.length === 1);
    assert.deepEqual(lines[0].lost, [{ userId, id: numberedId(2) }]);
    writer.keep(numberedBacktest(userId, 3));
    await writer.close();
    assert.deepEqual([await countOf(userId), lines.length], [2, 1]);
  });

  it('logs a report that is too large, and none of those that are stored in the same write', async () => {
    const { writer, lines } = open();
    const userId = freshUser();
    const text = JSON.stringify(randomBytes(mostReportBytes).toString('base64'));
    writer.keep(numberedBacktest(userId, 1, { text }));
    writer.keep(numberedBacktest(userId, 2));
    await writer.close();
    assert.equal(await countOf(userId), 1);
    assert.deepEqual(
      lines.map(({ msg, count, lost }) => [msg, count, lost]),
      [
        [
          `backtests are not stored: their reports have more than ${mostReportBytes} bytes`,
          1,
          [{ userId, id: numberedId(1) }],
        ],
      ],
    );
  });

  it('logs what it cannot keep, and takes new ones when there is room again', async () => {
    const { writer, lines } = open(400);
    const userId = freshUser();
    const text = JSON.stringify('x'.repeat(150));
    for (const n of upTo(4)) writer.keep(numberedBacktest(userId, n, { text }));
    await writer.settled(userId);
    writer.keep(numberedBacktest(userId, 9, { text }));
    await writer.close();
    assert.deepEqual(
      (await storage.backtests.list(userId, 'builtIn', { limit: 9 })).backtests.map(({ id }) => id),
      [9, 1, 0].map(numberedId),
    );
    assert.deepEqual(
      lines.map(({ msg, count, lost }) => [msg, count, lost]),
      [2, 3].map((n) => [
        'backtests are not stored: too many wait to be written',
        1,
        [{ userId, id: numberedId(n) }],
      ]),
    );
  });

  it('writes what waits before the process ends, and logs what is lost', async () => {
    const userId = freshUser();
    const good = open();
    good.writer.keep(numberedBacktest(userId, 1));
    await good.writer.close();
    assert.equal(await countOf(userId), 1);
    assert.deepEqual(good.lines, []);

    const bad = open();
    await kill();
    bad.writer.keep(numberedBacktest(userId, 2));
    // It ends although MongoDB stays away.
    await bad.writer.close();
    assert.deepEqual(
      bad.lines.map(({ msg, count, lost }) => [msg, count, lost]),
      [['backtests are not stored: the process ends', 1, [{ userId, id: numberedId(2) }]]],
    );
  });
});
