import assert from 'node:assert/strict';
import { PointCache } from '../../../gateway/limits/point-cache.js';

describe('PointCache', () => {
  let cache: PointCache;
  const upTo = (most: number) => ({ spent: most, unknown: 50 });

  beforeEach(() => {
    cache = new PointCache();
    cache.update('ada', 10, 1_000, 5_000);
  });

  it('spends points up to a limit, and none of a key whose count is unknown', () => {
    assert.equal(cache.spend('ada', 20, upTo(30), 5_000)?.spent, 30);
    assert.equal(cache.spend('ada', 1, upTo(30), 5_000), null);
    assert.equal(cache.spend('bob', 1, upTo(30), 5_000), null);
  });

  it('spends no more than may be unknown to Redis', () => {
    assert.equal(cache.spend('ada', 50, upTo(200), 5_000)?.spent, 60);
    assert.equal(cache.spend('ada', 1, upTo(200), 5_000), null);
    assert.equal(cache.takeUnsent('ada', 5_000), 50);
    assert.equal(cache.spend('ada', 1, upTo(200), 5_000), null);
    cache.confirm('ada', 50, 5_000);
    assert.equal(cache.spend('ada', 1, upTo(200), 5_000)?.spent, 61);
  });

  it('hands out unsent points once', () => {
    cache.spend('ada', 2, upTo(30), 5_000);
    cache.spend('ada', 3, upTo(30), 5_100);
    assert.deepEqual(cache.unsentKeys, ['ada']);
    assert.deepEqual([cache.takeUnsent('ada', 5_200), cache.takeUnsent('ada', 5_200)], [5, 0]);
    assert.deepEqual(cache.unsentKeys, []);
  });

  it('keeps points free for requests that wait for Redis', () => {
    const release = [cache.reserve('ada', 15), cache.reserve('ada', 4)];
    assert.equal(cache.spend('ada', 2, upTo(30), 5_000), null);
    release[1]();
    assert.equal(cache.spend('ada', 2, upTo(30), 5_000)?.spent, 12);
    release[0]();
    assert.equal(cache.spend('ada', 18, upTo(30), 5_000)?.spent, 30);
  });

  it('adds unsent and unconfirmed points to the count of Redis', () => {
    const spentAt = (now: number) => cache.spend('ada', 0, upTo(100), now)?.spent;
    cache.spend('ada', 5, upTo(100), 5_000);
    cache.takeUnsent('ada', 5_000);
    cache.spend('ada', 7, upTo(100), 5_000);
    cache.update('ada', 40, 900, 5_100);
    assert.equal(spentAt(5_100), 52);
    cache.confirm('ada', 5, 5_200);
    cache.update('ada', 45, 800, 5_200);
    assert.deepEqual([spentAt(5_200), cache.takeUnsent('ada', 5_200)], [52, 7]);
  });

  it('gives points back, in whatever order Redis confirms', () => {
    const spentAt = (now: number) => cache.spend('ada', 0, upTo(100), now)?.spent;
    cache.spend('ada', 5, upTo(100), 5_000);
    assert.equal(cache.takeUnsent('ada', 5_000), 5);
    cache.refund('ada', 5, 5_000);
    assert.deepEqual([spentAt(5_000), cache.unsentKeys], [10, ['ada']]);
    assert.equal(cache.takeUnsent('ada', 5_000), -5);
    cache.confirm('ada', -5, 5_000);
    cache.confirm('ada', 5, 5_000);
    cache.update('ada', 10, 900, 5_100);
    assert.equal(spentAt(5_100), 10);
  });

  it('gives back no more than is spent in the minute: those of the last minute have ended with it', () => {
    cache.update('eve', 2, 60_000, 5_000);
    cache.refund('eve', 5, 5_000);
    assert.deepEqual([cache.read('eve', 5_000)?.spent, cache.takeUnsent('eve', 5_000)], [0, -2]);
  });

  it('gives nothing back of a key whose count is unknown', () => {
    cache.refund('bob', 5, 5_000);
    assert.deepEqual([cache.takeUnsent('bob', 5_000), cache.unsentKeys], [0, []]);
  });

  it('knows what is beyond a limit, and nothing of a key whose count is unknown', () => {
    const beyond = (key: string, points: number) => cache.isBeyond(key, points, 12, 5_000);
    assert.deepEqual([beyond('ada', 2), beyond('ada', 3), beyond('bob', 13)], [false, true, false]);
    assert.equal(cache.isBeyond('ada', 3, 12, 6_000), false);
  });

  it('forgets a minute when it ends, with its points', () => {
    cache.spend('ada', 5, upTo(100), 5_999);
    assert.equal(cache.spend('ada', 1, upTo(100), 6_000), null);
    assert.equal(cache.takeUnsent('ada', 6_000), 0);
    cache.update('ada', 1, 60_000, 6_001);
    assert.equal(cache.spend('ada', 1, upTo(100), 6_001)?.spent, 2);
  });
});
