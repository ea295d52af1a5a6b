import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { adx } from '../../../compute/indicators/adx.js';
import { atr } from '../../../compute/indicators/atr.js';
import { ema } from '../../../compute/indicators/ema.js';
import { kama } from '../../../compute/indicators/kama.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { projectRoot } from '../../support/harness/paths.js';

const outputs = ['kama', 'atr', 'adx', 'pdi', 'mdi', 'ema'] as const;

type EdgeSeries = { name: string; period: number } & Record<'high' | 'low' | 'close', number[]> &
  Record<(typeof outputs)[number], (number | null)[]>;

// Made by test/fixtures/make-talib-edge.py.
const path = join(projectRoot, 'test/fixtures/talib-edge.json');
const fixture = JSON.parse(readFileSync(path, 'utf8')) as { talib: string; series: EdgeSeries[] };

describe(`kama, atr, adx and ema on odd series, against TA-Lib ${fixture.talib}`, () => {
  for (const expected of fixture.series) {
    it(`are equal to 1e-9: ${expected.name}`, () => {
      const { period } = expected;
      const high = Float64Array.from(expected.high);
      const low = Float64Array.from(expected.low);
      const close = Float64Array.from(expected.close);
      const actual = {
        ...computeIndicator(kama, { close }, { period }),
        ...computeIndicator(atr, { high, low, close }, { period }),
        ...computeIndicator(adx, { high, low, close }, { period }),
        ...computeIndicator(ema, { close }, { period }),
      };
      for (const name of outputs)
        expected[name].forEach((value, i) => {
          const found = actual[name][i];
          assertClose(Number.isNaN(found) ? null : found, value, `${name} at ${i}`);
        });
    });
  }
});
