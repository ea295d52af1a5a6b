import type { UnitRootForm } from '../../../compute/metrics/mackinnon-p.js';
import { readFixture } from '../candles/fixture.js';

/** Unit root and cointegration tests by statsmodels; see test/fixtures/make-unit-roots.py. */
export interface UnitRoots {
  series: Record<string, number[]>;
  adf: { series: string; form: UnitRootForm; statistic: number; p: number; lags: number; count: number }[];
  cointegration: { y: string; x: string; statistic: number; p: number }[];
  mackinnon: { form: UnitRootForm; series: 1 | 2; statistic: number; p: number }[];
}

export const readUnitRoots = (): UnitRoots => readFixture('unit-roots.json.gz') as UnitRoots;
