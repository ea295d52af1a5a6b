import assert from 'node:assert/strict';
import { SpentPoints } from '../../../gateway/limits/point-cache.js';

describe('SpentPoints', () => {
  let spent: SpentPoints;
  const upTo = (most: number) => ({ spent: most, unknown: 50 });

  beforeEach(() => {
    spent = new SpentPoints();
    spent.learn('ada', 10, 1_000, 5_000);
  });

  it('takes points up to the most that may be spent, and none of whom nothing is known', () => {
    assert.equal(spent.take('ada', 20, upTo(30), 5_000)?.spent, 30);
    assert.equal(spent.take('ada', 1, upTo(30), 5_000), null);
    assert.equal(spent.take('bob', 1, upTo(30), 5_000), null);
  });

  it('takes no more than Redis may be left without knowing', () => {
    assert.equal(spent.take('ada', 50, upTo(200), 5_000)?.spent, 60);
    assert.equal(spent.take('ada', 1, upTo(200), 5_000), null);
    assert.equal(spent.handOver('ada', 5_000), 50);
    assert.equal(spent.take('ada', 1, upTo(200), 5_000), null);
    spent.arrived('ada', 50, 5_000);
    assert.equal(spent.take('ada', 1, upTo(200), 5_000)?.spent, 61);
  });

  it('hands over once what was taken', () => {
    spent.take('ada', 2, upTo(30), 5_000);
    spent.take('ada', 3, upTo(30), 5_100);
    assert.deepEqual(spent.untold, ['ada']);
    assert.deepEqual([spent.handOver('ada', 5_200), spent.handOver('ada', 5_200)], [5, 0]);
    assert.deepEqual(spent.untold, []);
  });

  it('lets nobody through in the place of those that Redis is being asked for', () => {
    const answered = [spent.ask('ada', 15), spent.ask('ada', 4)];
    assert.equal(spent.take('ada', 2, upTo(30), 5_000), null);
    answered[1]();
    assert.equal(spent.take('ada', 2, upTo(30), 5_000)?.spent, 12);
    answered[0]();
    assert.equal(spent.take('ada', 18, upTo(30), 5_000)?.spent, 30);
  });

  it('adds to what Redis tells what Redis did not know of', () => {
    const spentAt = (now: number) => spent.take('ada', 0, upTo(100), now)?.spent;
    spent.take('ada', 5, upTo(100), 5_000);
    spent.handOver('ada', 5_000);
    spent.take('ada', 7, upTo(100), 5_000);
    spent.learn('ada', 40, 900, 5_100);
    assert.equal(spentAt(5_100), 52);
    spent.arrived('ada', 5, 5_200);
    spent.learn('ada', 45, 800, 5_200);
    assert.deepEqual([spentAt(5_200), spent.handOver('ada', 5_200)], [52, 7]);
  });

  it('forgets a minute that is over, with what was taken in it', () => {
    spent.take('ada', 5, upTo(100), 5_999);
    assert.equal(spent.take('ada', 1, upTo(100), 6_000), null);
    assert.equal(spent.handOver('ada', 6_000), 0);
    spent.learn('ada', 1, 60_000, 6_001);
    assert.equal(spent.take('ada', 1, upTo(100), 6_001)?.spent, 2);
  });
});
