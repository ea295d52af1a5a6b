import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findCandleFiles, seriesOfFileName } from '../../../storage/candle-files/find-candle-files.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

describe('seriesOfFileName', () => {
  for (const [name, expected] of [
    ['BTC_USDT-1h.json', 'BTC/USDT 1h'],
    ['1INCH_BTC-5m.json.gz', '1INCH/BTC 5m'],
    ['ETH_EUR-15m.feather', 'ETH/EUR 15m'],
    ['BTCUSDT-1h-2024-01.zip', 'BTC/USDT 1h'],
    ['ETHBTC-15m-2025-01-31.zip', 'ETH/BTC 15m'],
    ['BNBFDUSD-5m-2024-01.csv', 'BNB/FDUSD 5m'],
    ['BTCUSDT-1mo-2024-01.zip', 'BTC/USDT 1mo'],
    ['USDT-1h-2024-01.zip', null],
    ['BTC_USDT_USDT-1h-futures.feather', null],
    ['btc_usdt-1h.json', null],
    ['BTC_USDT-1h.csv', null],
    ['candles.zip', null],
  ] as const)
    it(`reads ${expected ?? 'nothing'} from ${name}`, () => {
      const found = seriesOfFileName(name);
      assert.equal(found && `${found.base}/${found.quote} ${found.interval}`, expected);
    });
});

describe('findCandleFiles', () => {
  const folder = temporaryFolder();
  const put = async (...names: string[]) => {
    for (const name of names) await writeFile(join(folder.path, name), '');
  };
  const found = async (given: Parameters<typeof findCandleFiles>[1] = {}, path = folder.path) =>
    (await findCandleFiles(path, given)).map(
      ({ path: at, base, quote, interval }) => `${basename(at)} ${base}/${quote} ${interval}`,
    );

  it('takes the files of a folder whose names say what they hold, those of one series in order of time', async () => {
    await put(
      'BTCUSDT-1h-2024-10.zip',
      'BTCUSDT-1h-2024-02.zip',
      'BTCUSDT-4h-2024-02.zip',
      'ETH_USDT-5m.feather',
      'notes.txt',
    );
    await mkdir(join(folder.path, 'BTC_USDT-1h'));
    assert.deepEqual(await found(), [
      'BTCUSDT-1h-2024-02.zip BTC/USDT 1h',
      'BTCUSDT-1h-2024-10.zip BTC/USDT 1h',
      'ETH_USDT-5m.feather ETH/USDT 5m',
    ]);
    assert.deepEqual(await found({ pair: { base: 'ETH', quote: 'USDT' } }), [
      'ETH_USDT-5m.feather ETH/USDT 5m',
    ]);
    assert.deepEqual((await found({ interval: '1h' })).length, 2);
    await assert.rejects(found({ interval: '15m' }), {
      code: 'invalid_file',
      message: /holds no file of candles of that pair and interval/,
    });
  });

  it('takes what is given of one file, else what its name says, else 1h', async () => {
    await put('BTC_USDT-5m.json', 'x.csv', 'BTC_USDT-4h.json');
    const at = (name: string) => join(folder.path, name);
    const pair = { base: 'ADA', quote: 'EUR' };
    assert.deepEqual(await found({}, at('BTC_USDT-5m.json')), ['BTC_USDT-5m.json BTC/USDT 5m']);
    assert.deepEqual(await found({ pair, interval: '15m' }, at('BTC_USDT-5m.json')), [
      'BTC_USDT-5m.json ADA/EUR 15m',
    ]);
    assert.deepEqual(await found({ pair }, at('x.csv')), ['x.csv ADA/EUR 1h']);
    await assert.rejects(found({}, at('x.csv')), { code: 'invalid_command', message: /--pair is missing/ });
    await assert.rejects(found({}, at('BTC_USDT-4h.json')), {
      message: /candles of 4h by its name; expected 5m, 15m, 1h/,
    });
    await assert.rejects(found({ pair }, at('none.csv')), { code: 'invalid_file' });
  });
});
