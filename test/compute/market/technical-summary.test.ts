import assert from 'node:assert/strict';
import { summariseTechnicals, type TechnicalSummary } from '../../../compute/market/technical-summary.js';
import { verdictOf } from '../../../compute/market/conflicts.js';
import { voteGroups } from '../../../compute/market/votes.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { flatCandles, frozenCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const summary = (candles = randomCandles(600)) =>
  summariseTechnicals({ candles, interval: '1h', params: {} });

/** As the independent implementation has it: votes by indicator, conflicts by name. */
type ExpectedSummary = Omit<TechnicalSummary, 'votes' | 'conflicts'> & {
  votes: Record<string, string>;
  conflicts: string[];
};

describe('summariseTechnicals', () => {
  const points = expectedReadings<ExpectedSummary>('technical-summary');

  it('casts the votes of an independent implementation, and comes to the same verdict and conflicts', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points) {
      const found = summariseTechnicals(question);
      const votes = Object.fromEntries(found.votes.map(({ indicator, vote }) => [indicator, vote]));
      const conflicts = found.conflicts.map(({ name }) => name);
      assertAlike({ ...found, votes, conflicts }, expected, title, 1e-3);
    }
  });

  it('is tested with every verdict and conflict, and with every vote of every indicator', () => {
    const all = points.map(({ expected }) => expected);
    assert.equal(new Set(all.map(({ verdict }) => verdict)).size, 5);
    assert.ok(new Set(all.flatMap(({ conflicts }) => conflicts)).size >= 8);
    const votes = all.flatMap((each) => Object.entries(each.votes).map((vote) => vote.join(' ')));
    assert.ok(new Set(votes).size >= 44, `${new Set(votes).size}`);
  });

  it('has one vote per indicator with a reason, and scores that follow from the votes', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { votes, groups, score, conflicts } = summary(randomCandles(400, { seed }));
      assert.equal(new Set(votes.map(({ indicator }) => indicator)).size, votes.length);
      for (const { reason } of votes) assert.match(reason, /^[^ ].{8,}$/);
      for (const { reason } of votes) assert.doesNotMatch(reason, /NaN|undefined|null|Infinity/);
      const sum = (group: string) =>
        votes
          .filter((vote) => vote.group === group)
          .map(({ vote }) => (vote === 'bullish' ? 1 : vote === 'bearish' ? -1 : 0) as number)
          .reduce((total, vote, _, all) => total + vote / all.length, 0);
      for (const group of voteGroups) assert.ok(Math.abs(groups[group].score - sum(group)) < 1e-12);
      const total =
        0.4 * sum('trend') + 0.3 * sum('momentum') + 0.1 * sum('volatility') + 0.2 * sum('volume');
      assert.ok(Math.abs(score - total) < 1e-12);
      for (const { between, says } of conflicts) assert.ok(between[0] !== between[1] && says.length > 10);
    }
  });

  it('is strong only where the trend points the same way', () => {
    const all = Array.from({ length: 150 }, (_, seed) => summary(randomCandles(400, { seed })));
    const high = all.filter(({ score }) => Math.abs(score) >= 0.5);
    const strong = high.filter(({ verdict }) => verdict.startsWith('strongly'));
    assert.ok(strong.length > 0 && strong.length <= high.length);
    for (const { score, groups } of strong) assert.ok(groups.trend.score * score >= 0.2 * Math.abs(score));
    for (const { score, verdict } of all)
      assert.equal(verdict.endsWith('ish'), Math.abs(score) >= 0.2 - 1e-12, `${score} ${verdict}`);
  });

  it('has no opinion on a price that does not move', () => {
    for (const candles of [flatCandles(600, 0.1), frozenCandles(600, 500)]) {
      const { verdict, score, votes } = summary(candles);
      assert.deepEqual([verdict, score], ['neutral', 0]);
      assert.ok(votes.every(({ vote, reason }) => vote === 'neutral' && reason.includes('not moved')));
    }
  });
});

describe('verdictOf', () => {
  for (const [score, verdict] of [
    [-1, 'strongly bearish'],
    [-0.5, 'strongly bearish'],
    [-0.3, 'bearish'],
    [-0.1, 'neutral'],
    [0, 'neutral'],
    [0.19, 'neutral'],
    [0.1 + 0.1, 'bullish'],
    [0.7 - 0.5, 'bullish'],
    [0.5, 'strongly bullish'],
  ] as const)
    it(`is ${verdict} for ${score}`, () => assert.equal(verdictOf(score), verdict));
});
