import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../../../compute/model/decimal.js';
import { PriceGate, type TradeFault } from '../../../../../jobs/signals/price-watch/feed/price-gate.js';
import type { PairTrade } from '../../../../../storage/exchanges/trading-venue.js';

const pair = { base: 'BTC', quote: 'USDT' };
const nowMs = 1_000_000;
const trade = (price: string, at = nowMs, id = `${price} ${at}`): PairTrade => ({ pair, price, at, id });
const answer = (price: string, at: number) => {
  const value = Decimal.parse(price);
  return { pair, price: value, high: value, low: value, volume: null, since: at, at };
};

describe('PriceGate', () => {
  let gate: PriceGate;
  beforeEach(() => {
    gate = new PriceGate(10_000);
  });
  const faultOf = (one: PairTrade): TradeFault | null => {
    const found = gate.trade(one, nowMs);
    return typeof found === 'string' ? found : null;
  };

  /** An answer from before. */
  const begin = () => gate.answer(answer('100', nowMs - 6_000), nowMs);

  it('takes trades in their order, several of one moment each once', () => {
    begin();
    const all = [trade('100', nowMs - 5, 'a'), trade('101', nowMs - 5, 'b'), trade('102', nowMs - 1, 'c')];
    assert.deepEqual(all.map(faultOf), [null, null, null]);
    assert.equal(faultOf(trade('102', nowMs - 1, 'c')), 'twice');
    assert.equal(faultOf(trade('101', nowMs - 5, 'd')), 'late');
    assert.equal(gate.value, 102);
  });

  it('takes an answer that was traded while a missed range was looked up', () => {
    begin();
    gate.trade(trade('100', nowMs - 500), nowMs);
    const range = { high: Decimal.parse('110'), low: Decimal.parse('90') };
    const missed = gate.spanning(pair, range, { sinceMs: nowMs - 5_000, nowMs });
    assert.deepEqual([missed?.at, String(missed?.high), String(missed?.low)], [nowMs, '110', '90']);
    assert.equal(String(gate.answer(answer('105', nowMs - 100), nowMs)?.price), '105');
  });

  it('takes nothing that is no price, has no time, or a time that is too far from now', () => {
    const prices = ['', '0', '0.00', '-1', 'NaN', 'Infinity', '1e5', '0x10', ' 1', `1${'0'.repeat(40)}`];
    assert.deepEqual(
      prices.map((price) => faultOf(trade(price))),
      prices.map(() => 'unreadable'),
    );
    for (const at of [NaN, Infinity, 1.5]) assert.equal(faultOf(trade('100', at)), 'unreadable');
    assert.equal(faultOf(trade('100', nowMs - 10_001)), 'old');
    assert.equal(faultOf(trade('100', nowMs + 10_001)), 'early');
    assert.equal(gate.value, null);
  });

  it('tells no time of the future, and takes what comes after one', () => {
    begin();
    const ahead = gate.trade(trade('100', nowMs + 9_000), nowMs);
    assert.ok(typeof ahead === 'object');
    assert.equal(ahead.at, nowMs);
    assert.ok(typeof gate.trade(trade('101', nowMs + 1), nowMs + 1) === 'object');
    const near = gate.trade(trade('102', nowMs + 1_900), nowMs + 2);
    assert.equal(typeof near === 'object' && near.at, nowMs + 1_900);
    assert.equal(gate.value, 102);
  });

  it('takes a price that is far from the last one only after a later trade within a second, or an answer', () => {
    begin();
    assert.equal(faultOf(trade('100', nowMs - 5_000)), null);
    // One print, 40 % lower, and back.
    assert.equal(faultOf(trade('60', nowMs - 4_000)), 'jump');
    assert.equal(faultOf(trade('60', nowMs - 4_000, 'same moment')), 'jump');
    assert.equal(faultOf(trade('100.5', nowMs - 3_900)), null);
    assert.equal(faultOf(trade('61', nowMs - 3_500)), 'jump');
    assert.equal(gate.value, 100.5);
    // A fall that goes on.
    assert.equal(faultOf(trade('62', nowMs - 3_400)), null);
    assert.equal(faultOf(trade('40', nowMs - 3_000)), 'jump');
    assert.equal(faultOf(trade('40', nowMs - 1_900)), 'jump');
    assert.equal(faultOf(trade('41', nowMs - 1_800)), null);
    assert.equal(gate.value, 41);
  });

  it('takes the first price only once another one is near it, or by an answer', () => {
    assert.equal(faultOf(trade('60', nowMs - 4_000)), 'jump');
    assert.equal(faultOf(trade('100', nowMs - 3_000)), 'jump');
    assert.equal(gate.value, null);
    assert.equal(faultOf(trade('100.5', nowMs - 1_000)), null);
    assert.equal(faultOf(trade('60', nowMs - 900)), 'jump');
  });

  it('wants an answer for a price that is out of all proportion', () => {
    begin();
    assert.equal(faultOf(trade('100', nowMs - 9)), null);
    assert.deepEqual([trade('201', nowMs - 8), trade('49', nowMs - 7)].map(faultOf), ['jump', 'jump']);
    assert.ok(gate.answer(answer('210', nowMs - 6), nowMs));
    assert.equal(faultOf(trade('209', nowMs - 5)), null);
  });

  it('takes an answer that is later than all before, and a trade that was on its way then', () => {
    assert.ok(gate.answer(answer('100', nowMs - 100), nowMs));
    assert.equal(gate.answer(answer('101', nowMs - 100), nowMs), null);
    assert.equal(gate.answer(answer('0', nowMs - 50), nowMs), null);
    assert.equal(gate.answer(answer('101', nowMs + 20_000), nowMs), null);
    const late = gate.trade(trade('99', nowMs - 500), nowMs);
    assert.ok(typeof late === 'object');
    assert.equal(late.at, nowMs - 100);
    assert.equal(faultOf(trade('98', nowMs - 2_200)), 'late');
  });

  it('never tells times backwards or ahead of the clock, whatever comes', () => {
    const times = fc.integer({ min: nowMs - 20_000, max: nowMs + 20_000 });
    const prices = fc.constantFrom('100', '101', '150', '0', 'x');
    const one = fc.record({
      at: times,
      price: prices,
      id: fc.constantFrom('a', 'b'),
      isAnswer: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one), (all) => {
        const own = new PriceGate(10_000);
        const ticks = all.flatMap(({ at, price, id, isAnswer }) => {
          const isNumber = price !== 'x';
          const found =
            isAnswer && isNumber
              ? own.answer(answer(price, at), nowMs)
              : own.trade(trade(price, at, id), nowMs);
          return found === null || typeof found === 'string' ? [] : [found];
        });
        assert.ok(ticks.every(({ at }, n) => at <= nowMs + 2_000 && (n === 0 || at >= ticks[n - 1].at)));
        assert.ok(ticks.every(({ price }) => price.sign > 0));
      }),
      { seed: 14, numRuns: 500 },
    );
  });
});
