import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { faultOf } from './bounds.js';
import type { Claim, IntervalClaim, VerdictClaim } from './claim.js';
import { claims } from './claims/index.js';
import { performanceSharpe } from './claims/performance-sharpe.js';
import { measureClaim } from './measure-claim.js';

const { estimate, ...sound } = performanceSharpe;

/** The claim with an interval of other width. */
const scaled = (factor: number): IntervalClaim => ({
  ...sound,
  estimate(series, seed) {
    const { low, high } = estimate(series, seed)!;
    const [middle, reach] = [(low + high) / 2, ((high - low) / 2) * factor];
    return { low: middle - reach, high: middle + reach };
  },
});

const faultOn = (claim: Claim, series: number) =>
  faultOf(measureClaim(claim, claim.processes[0], { series, seedSet: 0 }));

describe('the judge of claims', () => {
  it('passes a sound interval, and finds one that is too narrow or too wide', () => {
    assert.equal(faultOn(scaled(1), 200), null);
    assert.match(faultOn(scaled(0.7), 200)!, /surely below 0.93$/);
    assert.match(faultOn(scaled(2), 200)!, /surely above 0.97$/);
    assert.equal(faultOn({ ...scaled(2), wide: 'on purpose' }, 200), null);
  });

  it('finds answers that are missing, and alarms that are too many or too few', () => {
    const flagging = (says: VerdictClaim['says'], share: number): VerdictClaim => ({
      ...sound,
      says,
      flags: (_, seed) => seed % 100 < share * 100,
    });
    assert.match(faultOn({ ...sound, says: 'falseAlarm', flags: () => null }, 5)!, /answers 0 of the series/);
    assert.equal(faultOn(flagging('falseAlarm', 0.05), 400), null);
    assert.match(faultOn(flagging('falseAlarm', 0.2), 400)!, /0.2, surely above 0.06$/);
    assert.equal(faultOn(flagging('detection', 0.9), 400), null);
    assert.match(faultOn(flagging('detection', 0.2), 400)!, /0.2, surely below 0.80$/);
  });
});

describe('the claims of statistics', () => {
  it('are listed, one for each file, under names of their own in alphabetical order', () => {
    const names = claims.map(({ name }) => name);
    const files = readdirSync(join(projectRoot, 'test/statistics/claims')).filter(
      (file) => file !== 'index.ts',
    );
    assert.deepEqual(names, [...new Set(names)].toSorted());
    assert.equal(names.length, files.length, files.join(' '));
  });

  for (const claim of claims)
    it(`hold on few series: ${claim.name}`, () => {
      const faults = claim.processes
        .map((process) => faultOf(measureClaim(claim, process, { series: claim.quickSeries, seedSet: 0 })))
        .filter((fault) => fault !== null);
      assert.deepEqual(faults, []);
    });
});
