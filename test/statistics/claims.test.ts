import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { proportionInterval } from '../../compute/metrics/mean-interval.js';
import { faultOf, verdictOf } from './bounds.js';
import type { Claim, IntervalClaim, VerdictClaim } from './claim.js';
import { claims } from './claims/index.js';
import { performanceSharpe } from './claims/performance-sharpe.js';
import { measureClaim } from './measure-claim.js';
import { settleClaim } from './settle-claim.js';

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

describe('the verdict of a rate', () => {
  const [process] = performanceSharpe.processes;
  const of = (hits: number, count: number, silent = 0) =>
    verdictOf({ claim: performanceSharpe, process, silent, rate: proportionInterval(hits, count) });

  it('is within or outside of the bounds, or unsettled where chance may explain the difference', () => {
    assert.deepEqual(
      [of(95, 100), of(91, 100), of(364, 400), of(1_820, 2_000), of(99, 100), of(990, 1_000), of(9, 10, 11)],
      ['within', 'unsettled', 'unsettled', 'outside', 'unsettled', 'outside', 'silent'],
    );
  });

  it('is settled by five times as many series', () => {
    // 5 of the first 40 series are missed, and none of the later ones.
    const claim: IntervalClaim = {
      ...sound,
      estimate: (_, seed) => (seed % 1_000_000 < 5 ? { low: 1, high: 2 } : { low: -1, high: 1 }),
    };
    const measured = settleClaim(claim, process, { series: 40, seedSet: 0 });
    assert.deepEqual(
      [measured.rate.count, measured.rate.share, verdictOf(measured)],
      [200, 0.975, 'unsettled'],
    );
    const clear = settleClaim(scaled(2), process, { series: 150, seedSet: 0 });
    assert.deepEqual([clear.rate.count, verdictOf(clear)], [150, 'outside']);
  });
});

describe('the claims of statistics', () => {
  it('fail a method that is right in half of the few series', () => {
    const isFault = (claim: Claim) => {
      const rate = proportionInterval(Math.floor(claim.quickSeries / 2), claim.quickSeries);
      return faultOf({ claim, process: claim.processes[0], silent: 0, rate }) !== null;
    };
    assert.deepEqual(
      claims.filter((claim) => !isFault(claim)).map(({ name }) => name),
      [],
    );
  });

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
