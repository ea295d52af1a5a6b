import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Suite } from 'mocha';
import type { Candles } from '../../../compute/model/candles.js';
import { intervals, type Interval } from '../../../compute/model/interval.js';
import { readCandleFile, readNumberColumns, readRows } from './candle-file.js';
import { projectRoot } from '../harness/paths.js';
import { skip } from '../harness/skip.js';

/** Real candles and independent reference values beside the checkout; not part of the repository. */
const folder = resolve(projectRoot, '../shared/data');

export const hasSharedData = existsSync(folder);

/** A suite that reads the shared data, and is shown as skipped where there are none. */
export const describeWithSharedData = (title: string, body: (this: Suite) => void): void =>
  // A skipped suite's body runs too, and would read what is not there: one skipped test stands for it.
  void describe(
    title,
    hasSharedData
      ? body
      : () =>
          void it('reads the shared data', function () {
            skip(this, 'no folder ../shared/data: put it beside the checkout');
          }),
  );

export const sharedPairs = ['BTC_USDT', 'ETH_USDT', 'SOL_USDT', 'XRP_USDT', 'PEPE_USDT'] as const;

export const sharedPath = (name: string): string => resolve(folder, name);

export const sharedCandles = (pair: string, interval: Interval): Candles =>
  readCandleFile(sharedPath(`market/${pair}-${interval}.csv.gz`));

export const sharedRows = (name: string): string[][] => readRows(sharedPath(name));

export const sharedColumns = (name: string): Record<string, Float64Array> =>
  readNumberColumns(sharedPath(name));

export const sharedJson = (name: string): unknown => JSON.parse(readFileSync(sharedPath(name), 'utf8'));

/** Every pair with every interval. */
export const sharedSeries = sharedPairs.flatMap((pair) => intervals.map((interval) => ({ pair, interval })));
