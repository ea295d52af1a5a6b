import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../../compute/model/decimal.js';
import { tickAt } from '../../../support/paper/paper-cases.js';
import { PaperModel, settlementWrites } from '../../../support/paper/paper-model.js';

const assets = ['USDT', 'ABC'] as const;
const price = fc.integer({ min: 60, max: 140 });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      type: fc.constantFrom('limit' as const, 'market' as const, 'stop' as const),
      hasLimit: fc.boolean(),
      price,
      stopPrice: price,
      hundredths: fc.integer({ min: 5, max: 900 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('tick' as const),
      price,
      above: fc.integer({ min: 0, max: 15 }),
      below: fc.integer({ min: 0, max: 15 }),
      volume: fc.option(fc.integer({ min: 0, max: 40 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), index: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      writes: fc.integer({ min: 0, max: settlementWrites }),
      minutes: fc.nat(30),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const d = (value: number): Decimal => Decimal.read(String(value));

/** Plays the steps; settlements are cut where the steps say, or never. Checks the money after each step. */
function play(steps: readonly Step[], isCut: boolean): PaperModel {
  const model = new PaperModel({ USDT: '1000', ABC: '10' });
  let second = 2;
  let nowMs = 0;
  let last = d(100);
  for (const each of steps) {
    second += 2;
    if (each.do === 'place') {
      const { side, type } = each;
      const limit = type === 'limit' || (type === 'stop' && each.hasLimit) ? d(each.price) : null;
      const stopPrice = type === 'stop' ? d(each.stopPrice) : null;
      const quantity = d(each.hundredths / 100);
      model.place({ side, type, price: limit, stopPrice, quantity, placedAt: second * 1_000 - 1 }, last);
    } else if (each.do === 'tick') {
      last = d(each.price);
      const [high, low] = [each.price + each.above, each.price - each.below].map(String);
      const volume = each.volume === null ? null : String(each.volume / 4);
      const tick = tickAt(second, String(each.price), { high, low, volume });
      model.tick(tick);
      // The same tick again, as after a crash: it changes nothing.
      assert.equal(model.tick(tick), 0);
    } else if (each.do === 'cancel') model.cancel(each.index, second * 1_000);
    else {
      nowMs += each.minutes * 60_000;
      model.settle(nowMs, isCut ? each.writes : settlementWrites);
    }
    for (const asset of assets) assert.ok(model.funds.free(asset).sign >= 0, `${asset} below 0`);
  }
  return model;
}

function settled(model: PaperModel): PaperModel {
  for (let n = 0; model.isDue; n++) {
    assert.ok(n < 10, 'a settlement does not end');
    model.settle(Number.MAX_SAFE_INTEGER);
  }
  return model;
}

describe('the money of a paper account', function () {
  this.timeout(60_000);
  const paths = fc.array(step, { minLength: 5, maxLength: 60 });

  it('is what the fills make of it, is never below 0, and a settlement that was cut off changes nothing', () => {
    let fills = 0;
    fc.assert(
      fc.property(paths, (steps) => {
        const [cut, whole] = [settled(play(steps, true)), settled(play(steps, false))];
        for (const asset of assets) {
          assert.equal(cut.held(asset), cut.expected(asset));
          assert.equal(whole.held(asset), whole.expected(asset));
          assert.equal(cut.held(asset), whole.held(asset));
          assert.ok(Decimal.parse(cut.held(asset)).sign >= 0);
        }
        const money = ({ cash, holdings }: PaperModel['account']) => ({ cash, holdings });
        assert.deepEqual(money(cut.account), money(whole.account));
        fills += cut.account.booked?.length ?? 0;
      }),
      { numRuns: 2_000 },
    );
    assert.ok(fills > 2_000, `${fills} fills`);
  });

  it('is free again in whole once every order has ended', () => {
    fc.assert(
      fc.property(paths, (steps) => {
        const model = play(steps, true);
        for (let n = 0; n < steps.length; n++) model.cancel(0, 1e12);
        for (const asset of assets) assert.equal(String(model.funds.free(asset)), model.expected(asset));
      }),
      { numRuns: 500 },
    );
  });
});
