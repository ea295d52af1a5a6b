import assert from 'node:assert/strict';
import { churnOf, type ChurnFacts } from '../../../compute/ledger/churn-of.js';

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 5, 1);

const facts = (more: Partial<ChurnFacts>) =>
  churnOf({ ...{ created: [], costs: [[], []], resumedAt: null, nowMs }, ...more });

/** Signals at equal distances over some days until a day ago, and `today` in the last hour. */
const created = (perDay: number, days: number, today: number) => [
  ...Array.from(
    { length: perDay * days },
    (_, n) => nowMs - 24 * hourMs - Math.round(((n + 1) * 24 * hourMs) / perDay),
  ),
  ...Array.from({ length: today }, () => nowMs - hourMs),
];

describe('churnOf', () => {
  it('counts fees of one day in percent of the capital, by the mean of those who follow', () => {
    const cost = (costPercent: number | null, followers: number, hours = 1) => {
      return { at: nowMs - hours * hourMs, followers, costPercent };
    };
    // Ten pay 1 % and half of them 1 % more: 1.5 % on average.
    assert.equal(facts({ costs: [[cost(1, 10), cost(1, 5), cost(null, 3)], []] }), null);
    assert.equal(facts({ costs: [[cost(1, 10), cost(9, 10, 25)], []] }), null);
    const dear = [cost(1.5, 10), cost(1, 8)];
    const cause = 'its trades of 24 hours cost its subscribers 2.3 % of their capital in fees, above 2 %';
    // Followers on paper do not make those with money fewer.
    assert.equal(facts({ costs: [[cost(0, 90)], dear] }), cause);
    assert.equal(facts({ costs: [[], dear], resumedAt: nowMs - 1 }), null);
  });

  it('compares the signals of 24 hours with those of the 30 days before', () => {
    assert.equal(facts({ created: created(4, 30, 40) }), null);
    assert.match(
      facts({ created: created(4, 30, 41) })!,
      /^it sent 41 signals within 24 hours, above 10 times its usual 4\.0 a day$/,
    );
    assert.equal(facts({ created: created(4, 30, 41), resumedAt: nowMs - 1 }), null);
  });

  it('lets a channel be that is younger than a week, or sends no more than a subscription follows in a day', () => {
    assert.equal(facts({ created: created(4, 6, 500) }), null);
    assert.equal(facts({ created: created(1, 10, 20) }), null);
    assert.notEqual(facts({ created: created(1, 10, 21) }), null);
  });
});
