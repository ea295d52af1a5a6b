import assert from 'node:assert/strict';
import fc from 'fast-check';
import { admitClaim, type Claim } from '../../../compute/ledger/admit-claim.js';
import { Decimal } from '../../../compute/model/decimal.js';

const d = (value: number) => Decimal.read(String(value));
const asked = (id: string, value: number): Claim => ({ id, certain: Decimal.zero, asked: d(value) });
const certain = (id: string, value: number): Claim => ({ id, certain: d(value), asked: Decimal.zero });

describe('admitClaim', () => {
  it('allows what fits, refuses what does not, and lets the next in line wait', () => {
    assert.equal(admitClaim([asked('a', 5), certain('b', 5)], 'a', d(10)), 'allowed');
    assert.equal(admitClaim([asked('b', 5), certain('a', 6)], 'b', d(10)), 'refused');
    const both = [asked('a', 6), asked('b', 6)];
    assert.equal(admitClaim(both, 'a', d(10)), 'wait');
    assert.equal(admitClaim(both, 'b', d(10)), 'refused');
  });

  /** Executions that store a claim, read all claims, and act on what they have read later, in any order of these steps. */
  function race(sizes: number[], limit: number, order: number[]): { sent: number; isStuck: boolean } {
    type Step = 'store' | 'read' | 'act';
    const all = sizes.map((size, n) => ({
      id: `${10 + n}`,
      size,
      step: 'store' as Step | 'done',
      state: 'none' as 'none' | 'asked' | 'certain' | 'gone',
      verdict: 'allowed' as ReturnType<typeof admitClaim>,
    }));
    const claims = () =>
      all
        .filter(({ state }) => state === 'asked' || state === 'certain')
        .map(({ id, size, state }) => (state === 'asked' ? asked(id, size) : certain(id, size)));
    let turns = 0;
    const step = (each: (typeof all)[number]) => {
      if (each.step === 'store') [each.state, each.step] = ['asked', 'read'];
      else if (each.step === 'read') {
        each.verdict = admitClaim(claims(), each.id, d(limit));
        each.step = 'act';
      } else if (each.step === 'act') {
        if (each.verdict === 'allowed') [each.state, each.step] = ['certain', 'done'];
        if (each.verdict === 'refused') [each.state, each.step] = ['gone', 'done'];
        if (each.verdict === 'wait') each.step = 'read';
      }
    };
    for (const n of order) step(all[n % all.length]);
    while (all.some((each) => each.step !== 'done') && turns++ < 100) for (const each of all) step(each);
    const sent = all.filter(({ state }) => state === 'certain').reduce((sum, { size }) => sum + size, 0);
    return { sent, isStuck: turns >= 100 };
  }

  it('keeps to the limit and ends, in whatever order several that ask at once store, read and act', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 25 }),
        fc.array(fc.nat(5), { maxLength: 30 }),
        (sizes, limit, order) => {
          const { sent, isStuck } = race(sizes, limit, order);
          assert.ok(sent <= limit, `${sent} of ${limit}`);
          assert.ok(!isStuck);
          // One always gets through where each would fit alone.
          if (sizes.every((size) => size <= limit)) assert.ok(sent > 0);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
