import assert from 'node:assert/strict';
import { SpentPoints } from '../../gateway/spent-points.js';

describe('SpentPoints', () => {
  let spent: SpentPoints;

  beforeEach(() => {
    spent = new SpentPoints();
    spent.learn('ada', 10, 1_000, 5_000);
  });

  it('takes points up to the most that may be spent, and none of whom nothing is known', () => {
    assert.equal(spent.take('ada', 20, 30, 5_000)?.spent, 30);
    assert.equal(spent.take('ada', 1, 30, 5_000), null);
    assert.equal(spent.take('bob', 1, 30, 5_000), null);
  });

  it('hands over once what was taken', () => {
    spent.take('ada', 2, 30, 5_000);
    spent.take('ada', 3, 30, 5_100);
    assert.deepEqual(spent.untold, ['ada']);
    assert.deepEqual([spent.handOver('ada', 5_200), spent.handOver('ada', 5_200)], [5, 0]);
    assert.deepEqual(spent.untold, []);
  });

  it('adds to what Redis tells what Redis has not been told of', () => {
    spent.take('ada', 5, 100, 5_000);
    spent.handOver('ada', 5_000);
    spent.take('ada', 7, 100, 5_000);
    spent.learn('ada', 40, 900, 5_100);
    assert.deepEqual([spent.take('ada', 0, 100, 5_100)?.spent, spent.handOver('ada', 5_100)], [47, 7]);
  });

  it('forgets a minute that is over, with what was taken in it', () => {
    spent.take('ada', 5, 100, 5_999);
    assert.equal(spent.take('ada', 1, 100, 6_000), null);
    assert.equal(spent.handOver('ada', 6_000), 0);
    spent.learn('ada', 1, 60_000, 6_001);
    assert.equal(spent.take('ada', 1, 100, 6_001)?.spent, 2);
  });
});
