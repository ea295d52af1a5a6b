import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { candleColumns } from '../../../compute/model/candles.js';
import { demoCandles, demoPairs } from './demo-candles.js';

// Writes the demo candles on which fixtures rest, for make-reference.py and, in the same way, make-flip-prices.py:
//   node dist/test/support/candles/export-demo-candles.js DIR
//   PYTHONPATH=/tmp/talib python3 test/fixtures/make-reference.py DIR test/fixtures/demo-reference.json.gz
const folder = process.argv[2];
if (!folder) throw new Error('expected the folder to write to');
mkdirSync(folder, { recursive: true });
for (const pair of demoPairs) {
  const candles = demoCandles(pair, '1h');
  const rows = Array.from(candles.time, (_, i) =>
    candleColumns.map((column) => candles[column][i]).join(','),
  );
  const text = `${candleColumns.join(',')}\n${rows.join('\n')}\n`;
  writeFileSync(join(folder, `${pair}-1h.csv.gz`), gzipSync(text));
}
