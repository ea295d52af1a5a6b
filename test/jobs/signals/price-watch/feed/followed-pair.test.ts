import assert from 'node:assert/strict';
import { Decimal } from '../../../../../compute/model/decimal.js';
import type { TradedRange } from '../../../../../storage/exchanges/trading-venue.js';
import {
  defaultFeedTimes,
  FollowedPair,
} from '../../../../../jobs/signals/price-watch/feed/followed-pair.js';

const pair = { base: 'BTC', quote: 'USDT' };
const startMs = 1_000_000;
const trade = (price: string, at: number) => ({ pair, price, at, id: String(at) });
const answer = (price: string, at: number) => {
  const value = Decimal.parse(price);
  return { pair, price: value, high: value, low: value, volume: null, since: at, at };
};

describe('FollowedPair', () => {
  let followed: FollowedPair;
  const follow = (hasMissed = false) =>
    new FollowedPair({ pair, mostAgeMs: 10_000, knownMs: startMs, hasMissed, times: defaultFeedTimes });
  const lookUp = (missed: TradedRange | null, nowMs: number) =>
    followed.lookedUp(missed, { askedMs: nowMs - 1, nowMs });
  const ask = (price: string, nowMs: number) =>
    followed.answer(answer(price, nowMs), { askedMs: nowMs - 1, nowMs });
  beforeEach(() => {
    followed = follow();
  });

  it('is asked for until its trades are told, when none was told for a while, and when one is in doubt', () => {
    assert.ok(followed.isDue(startMs));
    ask('100', startMs);
    followed.noteStream(startMs, startMs);
    followed.trade(trade('100', startMs), startMs);
    assert.ok(!followed.isDue(startMs + 2_000));
    assert.ok(followed.isDue(startMs + 3_001));
    assert.equal(followed.trade(trade('900', startMs + 1), startMs + 1), 'jump');
    assert.ok(followed.isDue(startMs + 1_001));
    ask('100', startMs + 1_003);
    assert.ok(!followed.isDue(startMs + 1_004));
  });

  it('misses trades when an answer shows another price and none is told for five seconds', () => {
    ask('100', startMs);
    followed.noteStream(startMs, startMs);
    followed.trade(trade('100', startMs), startMs);
    ask('101', startMs + 4_000);
    assert.ok(!followed.isMissingTrades(startMs + 8_999));
    ask('100', startMs + 8_999);
    assert.ok(followed.isMissingTrades(startMs + 9_000));
    followed.trade(trade('101', startMs + 9_001), startMs + 9_001);
    assert.ok(!followed.isMissingTrades(startMs + 20_000));
  });

  it('misses none after a far price that one trade told of and answers confirm, or that was no price', () => {
    ask('100', startMs);
    followed.noteStream(startMs, startMs);
    followed.trade(trade('100', startMs), startMs);
    assert.equal(followed.trade(trade('110', startMs + 100), startMs + 100), 'jump');
    for (const second of [1, 2, 60]) ask('110', startMs + second * 1_000);
    assert.ok(!followed.isMissingTrades(startMs + 61_000));
    assert.equal(followed.trade(trade('900', startMs + 61_000), startMs + 61_000), 'jump');
    for (const second of [62, 63, 90]) ask('110', startMs + second * 1_000);
    assert.ok(!followed.isMissingTrades(startMs + 91_000));
    ask('111', startMs + 92_000);
    assert.ok(followed.isMissingTrades(startMs + 97_000));
  });

  it('misses none while the price stands still, and none that were never to be told', () => {
    ask('100', startMs + 1_000);
    ask('101', startMs + 2_000);
    followed.noteStream(startMs + 2_500, startMs + 3_000);
    for (const second of [3, 4, 60]) ask('101', startMs + second * 1_000);
    assert.ok(!followed.isMissingTrades(startMs + 100_000));
  });

  it('has missed what was neither told nor answered for longer than five seconds', () => {
    ask('100', startMs + 5_000);
    followed.noteStream(null, startMs + 5_000);
    assert.equal(followed.missedSinceMs, null);
    followed.noteStream(null, startMs + 9_000);
    assert.equal(followed.missedSinceMs, null);
    followed.noteStream(null, startMs + 10_000);
    assert.equal(followed.missedSinceMs, startMs);
    const missed = { high: Decimal.parse('120'), low: Decimal.parse('101') };
    const tick = lookUp(missed, startMs + 11_000)!;
    assert.deepEqual([tick.price, tick.high, tick.low].map(String), ['100', '120', '100']);
    assert.deepEqual([tick.since, tick.at], [startMs, startMs + 11_000]);
    assert.equal(followed.missedSinceMs, null);
  });

  it('tells nothing of missed trades while a far price waits to be confirmed', () => {
    ask('100', startMs);
    followed.noteStream(startMs + 5, startMs + 10);
    assert.equal(followed.trade(trade('90', startMs + 20), startMs + 20), 'jump');
    assert.equal(lookUp({ high: Decimal.parse('100'), low: Decimal.parse('90') }, startMs + 30), null);
    ask('90', startMs + 1_100);
    assert.equal(followed.missedSinceMs, startMs);
    const tick = lookUp({ high: Decimal.parse('100'), low: Decimal.parse('90') }, startMs + 1_200)!;
    assert.deepEqual([tick.price, tick.high, tick.low].map(String), ['90', '100', '90']);
  });

  it('has missed what was traded between two connections, also while it was asked for', () => {
    ask('100', startMs);
    followed.noteStream(startMs, startMs);
    followed.trade(trade('100', startMs), startMs);
    assert.equal(followed.missedSinceMs, startMs);
    assert.equal(lookUp(null, startMs + 2), null);
    assert.equal(followed.missedSinceMs, null);
    followed.noteStream(startMs, startMs + 1_000);
    for (const second of [2, 3, 4]) {
      followed.noteStream(null, startMs + second * 1_000);
      ask('100', startMs + second * 1_000);
    }
    assert.equal(followed.missedSinceMs, null);
    followed.noteStream(startMs + 4_500, startMs + 5_000);
    assert.equal(followed.missedSinceMs, startMs + 1_000);
  });

  it('keeps what was missed until a price is known, and goes on where nothing was traded', () => {
    followed = follow(true);
    const missed = { high: Decimal.parse('120'), low: Decimal.parse('101') };
    assert.equal(followed.missedSinceMs, null);
    assert.equal(lookUp(missed, startMs + 1), null);
    ask('100', startMs + 2);
    assert.equal(followed.missedSinceMs, startMs);
    assert.equal(lookUp(null, startMs + 3), null);
    assert.equal(followed.missedSinceMs, null);
  });

  it('misses nothing while trades are told, however few there are, unless the process stands still', () => {
    ask('100', startMs);
    followed.noteStream(startMs, startMs);
    followed.trade(trade('100', startMs), startMs);
    lookUp(null, startMs + 2);
    for (let second = 1; second < 60; second++) followed.noteStream(startMs, startMs + second * 1_000);
    assert.equal(followed.missedSinceMs, null);
    followed.noteStream(startMs, startMs + 66_000);
    assert.equal(followed.missedSinceMs, startMs + 59_000);
  });

  it('has still missed what a connection did not tell that began while it was looked up', () => {
    ask('100', startMs);
    followed.noteStream(startMs, startMs);
    followed.noteStream(null, startMs + 1_000);
    followed.noteStream(startMs + 2_000, startMs + 2_000);
    followed.lookedUp(null, { askedMs: startMs + 500, nowMs: startMs + 2_500 });
    assert.equal(followed.missedSinceMs, startMs + 500);
  });
});
