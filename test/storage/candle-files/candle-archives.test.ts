import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createRandom } from '../../../compute/model/random.js';
import { projectRoot } from '../../support/harness/paths.js';
import {
  readCandleFile,
  type CandleLine,
  type ReadCandleFileOptions,
} from '../../../storage/candle-files/read-candle-file.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

/** Made by pandas, pyarrow and zipfile: make-candle-files.py. */
const fixtures = join(projectRoot, 'test/fixtures/candle-files');
const nowMs = Date.UTC(2026, 0, 1);
const { hours, fives, late } = JSON.parse(
  gunzipSync(readFileSync(join(fixtures, 'candles.json.gz'))).toString(),
) as Record<'hours' | 'fives' | 'late', number[][]>;

async function readAll(
  path: string,
  more: Partial<ReadCandleFileOptions> = {},
  lines: CandleLine[] = [],
): Promise<CandleLine[]> {
  for await (const line of readCandleFile(path, { nowMs, ...more })) lines.push(line);
  return lines;
}
const inFixtures = (name: string) => join(fixtures, name);
const numbered = (rows: number[][], first = 1) => rows.map((row, n) => ({ line: first + n, row }));

describe('files of freqtrade', () => {
  for (const name of [
    'hours-s',
    'hours-ms',
    'hours-us',
    'hours-ns',
    'hours-naive',
    'hours-plain',
    'hours-batches',
  ])
    it(`are read from ${name}.feather as pandas wrote them, to the bit`, async () => {
      assert.deepEqual(await readAll(inFixtures(`${name}.feather`)), numbered(hours));
    });

  it('are read in 5m, and of flat candles, which compress to one long match', async () => {
    assert.deepEqual(await readAll(inFixtures('ETH_BTC-5m.feather'), { interval: '5m' }), numbered(fives));
    const flat = await readAll(inFixtures('flat.feather'));
    const row = [Date.UTC(2024, 0, 1) + 3_999 * 3_600_000, 1.5, 1.5, 1.5, 1.5, 0];
    assert.deepEqual([flat.length, flat.at(-1)], [4_000, { line: 4_000, row }]);
  });

  it('are read from JSON, gzipped or not', async () => {
    const rows = JSON.parse(readFileSync(inFixtures('BTC_USDT-1h.json'), 'utf8')) as number[][];
    assert.deepEqual(await readAll(inFixtures('BTC_USDT-1h.json')), numbered(rows));
    assert.deepEqual(await readAll(inFixtures('BTC_USDT-5m.json.gz'), { interval: '5m' }), numbered(fives));
  });

  it('are refused by row where a value is missing', async () => {
    const lines = await readAll(inFixtures('hours-nulls.feather'));
    const refused = lines.filter((line) => 'refused' in line);
    assert.deepEqual(
      refused,
      [4, 6].map((line) => ({ line, refused: 'close is not a number' })),
    );
  });

  for (const [name, message] of [
    ['hours-zstd.feather', /the Arrow file is broken: Missing compression codec "ZSTD"/],
    ['hours-v1.feather', /it is a feather file of version 1; save it as version 2/],
    ['no-volume.feather', /it has no column "volume", found date, open, high, low, close/],
    ['ETH_BTC-5m.feather', /its candles are 5 minutes apart; expected candles of 1h, or --interval 5m/],
  ] as const)
    it(`say why ${name} is refused`, async () => {
      await assert.rejects(readAll(inFixtures(name)), { code: 'invalid_file', message });
    });
});

describe('archives of Binance', () => {
  const folder = temporaryFolder();
  const write = async (content: Uint8Array) => {
    const path = join(folder.path, 'archive.zip');
    await writeFile(path, content);
    return path;
  };

  it('are read without a header in ms, and with one in us', async () => {
    assert.deepEqual(await readAll(inFixtures('BTCUSDT-1h-2024-01.zip')), numbered(hours));
    assert.deepEqual(await readAll(inFixtures('BTCUSDT-1h-2025-01.zip')), numbered(late, 2));
  });

  it('name the entry that is broken, at whichever byte', async () => {
    const whole = await readFile(inFixtures('BTCUSDT-1h-2024-01.zip'));
    const body = whole.indexOf('PK\x01\x02', 0, 'latin1');
    for (let at = 60; at < body - 12; at += 97) {
      const broken = Buffer.from(whole);
      broken[at] ^= 1 << (at % 8);
      const lines: CandleLine[] = [];
      await assert.rejects(
        readAll(await write(broken), {}, lines),
        ({ code, message }: { code: string; message: string }) =>
          code === 'invalid_file' &&
          message.includes('"BTCUSDT-1h-2024-01.csv" in the zip archive is broken'),
        String(at),
      );
      // A digit may differ: what is stored would stand in the way of the whole archive.
      assert.deepEqual(lines, [], 'no line is taken');
    }
    await assert.rejects(readAll(await write(whole.subarray(0, 400))), /the zip archive is broken/);
    await assert.rejects(readAll(await write(Buffer.from('PK\x03\x04'))), /the zip archive is broken/);
  });

  it('that say they are small and are not, or say they are too large, are not unpacked', async () => {
    const whole = await readFile(inFixtures('BTCUSDT-1h-2024-01.zip'));
    const directory = whole.indexOf('PK\x01\x02', 0, 'latin1');
    const small = Buffer.from(whole);
    small.writeUInt32LE(100, directory + 24);
    await assert.rejects(
      readAll(await write(small)),
      /"BTCUSDT-1h-2024-01.csv" in the zip archive is broken/,
    );
    const large = Buffer.from(whole);
    large.writeUInt32LE(0xf000_0000, directory + 24);
    await assert.rejects(readAll(await write(large)), /has 4026531840 bytes; expected at most 2147483648/);
  });
});

describe('broken candle files', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();

  it('are refused by name or by row, whatever byte is wrong, and whatever is cut off', async () => {
    const random = createRandom(7);
    for (const name of [
      'hours-ms.feather',
      'hours-plain.feather',
      'BTC_USDT-1h.json',
      'BTCUSDT-1h-2024-01.zip',
    ]) {
      const whole = await readFile(inFixtures(name));
      for (let n = 0; n < 40; n++) {
        const broken =
          n % 4 === 0 ? whole.subarray(0, Math.floor(random.unit() * whole.length)) : Buffer.from(whole);
        if (n % 4 !== 0) broken[Math.floor(random.unit() * whole.length)] ^= 1 << (n % 8);
        const path = join(folder.path, name);
        await writeFile(path, broken);
        await readAll(path).then(
          (lines) => assert.ok(lines.length <= 100_000, name),
          ({ code, message }: { code: string; message: string }) => {
            assert.equal(code, 'invalid_file', message);
            assert.ok(message.includes(path), message);
          },
        );
      }
    }
  });

  it('of JSON say what was expected', async () => {
    for (const [text, message] of [
      ['[[1704067200000, 1, 2', /its JSON is broken/],
      ['[{"time": 1704067200000}]', /its JSON is no list of candles; expected \[\[time, open/],
      ['[]', /is empty/],
      ['[["2024-01-01"]]', /no line has a number/],
    ] as const) {
      const path = join(folder.path, 'BTC_USDT-1h.json');
      await writeFile(path, text);
      await assert.rejects(readAll(path), { code: 'invalid_file', message }, text);
    }
  });
});
