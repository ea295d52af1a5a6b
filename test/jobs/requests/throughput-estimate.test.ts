import assert from 'node:assert/strict';
import { ThroughputEstimate } from '../../../jobs/requests/throughput-estimate.js';

/** Passes some seconds with `open` requests, of which `perSecond` are answered. */
function spend(
  estimate: ThroughputEstimate,
  fromMs: number,
  seconds: number,
  open: number,
  perSecond: number,
): number {
  const toMs = fromMs + seconds * 1_000;
  for (let at = fromMs; at < toMs; at += 1_000 / perSecond) estimate.note(open, true, at);
  return toMs;
}

describe('a throughput estimate', () => {
  it('gives the wait behind other requests once more are open than are answered', () => {
    const estimate = new ThroughputEstimate(1_000);
    assert.equal(estimate.waitMs(1_000, 0), 0);
    const now = spend(estimate, 10_000, 4, 500, 100);
    const waitMs = estimate.waitMs(500, now);
    assert.ok(waitMs > 4_500 && waitMs < 5_500, `${waitMs} ms`);
  });

  it('does not rest on one slow second, as after a start', () => {
    const estimate = new ThroughputEstimate(1_000);
    const now = spend(estimate, 10_000, 2, 200, 2);
    assert.equal(estimate.waitMs(200, now), 0);
  });

  it('rests on any busy moment once more are open than may wait', () => {
    const estimate = new ThroughputEstimate(1_000);
    const now = spend(estimate, 10_000, 0.2, 2_000, 100);
    assert.equal(estimate.waitMs(2_000, now), 0);
    const soon = spend(estimate, now, 0.3, 2_000, 100);
    const waitMs = estimate.waitMs(2_000, soon);
    assert.ok(waitMs > 18_000 && waitMs < 22_000, `${waitMs} ms`);
    assert.equal(estimate.waitMs(900, soon), 0);
  });

  it('does not take few requests for low throughput', () => {
    const estimate = new ThroughputEstimate(1_000);
    const now = spend(estimate, 10_000, 5, 2, 1);
    assert.equal(estimate.waitMs(1_000, now), 0);
  });

  it('rests on the best of the last seconds, and forgets them after a while', () => {
    const estimate = new ThroughputEstimate(1_000);
    const busy = spend(estimate, 10_000, 4, 100, 100);
    const slow = spend(estimate, busy, 5, 200, 2);
    assert.ok(estimate.waitMs(200, slow) < 2_500);
    assert.equal(estimate.waitMs(200, slow + 60_000), 0);
  });
});
