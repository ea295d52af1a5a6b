import assert from 'node:assert/strict';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { assertNear } from '../../support/numbers/assert-near.js';
import { indicatorByName } from '../../support/candles/indicators-by-name.js';
import { describeWithSharedData } from '../../support/candles/shared-data.js';
import {
  readTalibReference,
  talibColumns,
  talibOtherColumns,
  talibSeries,
} from '../../support/candles/talib-reference.js';

describeWithSharedData(
  'indicators on real candles, against TA-Lib 0.8.2 (shared/data/reference/talib)',
  () => {
    for (const series of talibSeries) {
      describe(series, () => {
        const { candles, reference } = readTalibReference(series);

        it('has no column that is not compared', () => {
          assert.deepEqual(
            [...reference.keys()].sort(),
            [...Object.keys(talibColumns), ...talibOtherColumns].sort(),
          );
        });

        for (const [name, [indicator, output, params, floor]] of Object.entries(talibColumns)) {
          it(`${name} is equal to 1e-9 on every candle`, () => {
            const actual = computeIndicator(indicatorByName(indicator), candles, params)[output];
            reference.get(name)!.forEach((expected, i) => {
              assertNear(actual[i], expected, floor ?? 0, `${name} at ${i}`);
            });
          });
        }
      });
    }
  },
);
