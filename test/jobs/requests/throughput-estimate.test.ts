import assert from 'node:assert/strict';
import { ThroughputEstimate } from '../../../jobs/requests/throughput-estimate.js';

/** Seconds in which so many are open and so many are answered. */
function spend(
  pace: ThroughputEstimate,
  fromMs: number,
  seconds: number,
  open: number,
  perSecond: number,
): number {
  const toMs = fromMs + seconds * 1_000;
  for (let at = fromMs; at < toMs; at += 1_000 / perSecond) pace.note(open, true, at);
  return toMs;
}

describe('the pace of a queue', () => {
  it('says how long a question waits behind others once more wait than are done', () => {
    const pace = new ThroughputEstimate();
    assert.equal(pace.waitMs(1_000, 0), 0);
    const now = spend(pace, 10_000, 4, 500, 100);
    const waitMs = pace.waitMs(500, now);
    assert.ok(waitMs > 4_500 && waitMs < 5_500, `${waitMs} ms`);
  });

  it('does not take few questions for slow answers', () => {
    const pace = new ThroughputEstimate();
    const now = spend(pace, 10_000, 5, 2, 1);
    assert.equal(pace.waitMs(1_000, now), 0);
  });

  it('goes by the best of the last seconds: a pause is no loss of pace, and is forgotten after a while', () => {
    const pace = new ThroughputEstimate();
    const busy = spend(pace, 10_000, 4, 100, 100);
    const slow = spend(pace, busy, 5, 200, 2);
    assert.ok(pace.waitMs(200, slow) < 2_500);
    assert.equal(pace.waitMs(200, slow + 60_000), 0);
  });
});
