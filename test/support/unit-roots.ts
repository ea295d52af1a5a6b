import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { UnitRootForm } from '../../compute/metrics/mackinnon-p.js';
import { projectRoot } from './paths.js';

/** Unit root and cointegration tests by statsmodels; see test/fixtures/make-unit-roots.py. */
export interface UnitRoots {
  series: Record<string, number[]>;
  adf: { series: string; form: UnitRootForm; statistic: number; p: number; lags: number; count: number }[];
  cointegration: { y: string; x: string; statistic: number; p: number }[];
  mackinnon: { form: UnitRootForm; series: 1 | 2; statistic: number; p: number }[];
}

export function readUnitRoots(): UnitRoots {
  const packed = readFileSync(join(projectRoot, 'test/fixtures/unit-roots.json.gz'));
  return JSON.parse(gunzipSync(packed).toString()) as UnitRoots;
}
