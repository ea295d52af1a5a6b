import assert from 'node:assert/strict';
import { Decimal } from '../../../../../compute/model/decimal.js';
import { usualFeedTimes } from '../../../../../jobs/signals/price-watch/feed/feed-times.js';
import { FollowedPair } from '../../../../../jobs/signals/price-watch/feed/followed-pair.js';

const pair = { base: 'BTC', quote: 'USDT' };
const startMs = 1_000_000;
const trade = (price: string, at: number) => ({ pair, price, at, id: String(at) });
const answer = (price: string, at: number) => {
  const value = Decimal.parse(price);
  return { pair, price: value, high: value, low: value, volume: null, since: at, at };
};

describe('FollowedPair', () => {
  let followed: FollowedPair;
  const follow = (isTakenOver = false) =>
    new FollowedPair({ pair, mostAgeMs: 10_000, knownMs: startMs, isTakenOver, times: usualFeedTimes });
  const ask = (price: string, nowMs: number) =>
    followed.answer(answer(price, nowMs), { askedMs: nowMs - 1, nowMs });
  beforeEach(() => {
    followed = follow();
  });

  it('is asked for until its trades are told, when none was told for a while, and when one is in doubt', () => {
    assert.ok(followed.isDue(startMs));
    followed.noteStream(startMs, startMs);
    followed.trade(trade('100', startMs), startMs);
    assert.ok(!followed.isDue(startMs + 2_000));
    assert.ok(followed.isDue(startMs + 3_001));
    assert.equal(followed.trade(trade('900', startMs + 1), startMs + 1), 'jump');
    assert.ok(followed.isDue(startMs + 2));
    ask('100', startMs + 3);
    assert.ok(!followed.isDue(startMs + 4));
  });

  it('misses trades when an answer shows another price and none is told for five seconds', () => {
    followed.noteStream(startMs, startMs);
    followed.trade(trade('100', startMs), startMs);
    ask('101', startMs + 4_000);
    assert.ok(!followed.isMissingTrades(startMs + 8_999));
    ask('100', startMs + 8_999);
    assert.ok(followed.isMissingTrades(startMs + 9_000));
    followed.trade(trade('101', startMs + 9_001), startMs + 9_001);
    assert.ok(!followed.isMissingTrades(startMs + 20_000));
  });

  it('misses none while the price stands still, and none that were never to be told', () => {
    ask('100', startMs + 1_000);
    ask('101', startMs + 2_000);
    followed.noteStream(startMs + 2_500, startMs + 3_000);
    for (const second of [3, 4, 60]) ask('101', startMs + second * 1_000);
    assert.ok(!followed.isMissingTrades(startMs + 100_000));
  });

  it('looks up what was neither told nor answered for longer than five seconds', () => {
    followed.noteStream(null, startMs + 5_000);
    assert.ok(!followed.hasGap);
    ask('100', startMs + 5_000);
    followed.noteStream(null, startMs + 9_000);
    assert.ok(!followed.hasGap);
    followed.noteStream(null, startMs + 10_000);
    assert.ok(followed.hasGap);
    const missed = { high: Decimal.parse('120'), low: Decimal.parse('101') };
    const tick = followed.closeGap(missed, startMs + 11_000)!;
    assert.deepEqual([tick.price, tick.high, tick.low].map(String), ['100', '120', '100']);
    assert.deepEqual([tick.since, tick.at], [startMs + 4_999, startMs + 11_000]);
    assert.ok(!followed.hasGap);
  });

  it('looks up what was missed when another process has followed it, and goes on without it where it is unknown', () => {
    followed = follow(true);
    assert.ok(followed.hasGap);
    assert.equal(followed.closeGap(null, startMs + 1), null);
    assert.ok(!followed.hasGap);
  });

  it('has no gap while trades are told, however few there are', () => {
    for (let second = 0; second < 60; second++) followed.noteStream(startMs, startMs + second * 1_000);
    assert.ok(!followed.hasGap);
    // The process stood still.
    followed.noteStream(startMs, startMs + 66_000);
    assert.ok(followed.hasGap);
  });
});
