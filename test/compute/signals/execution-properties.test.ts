import { deepEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import { isEnded, type Execution } from '../../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import { isAtOrBetter } from '../../../compute/signals/execution-side.js';
import { quantityOnStep } from '../../../compute/model/pair-rules.js';
import { nextWakeAt } from '../../../compute/signals/next-wake-at.js';
import { watchedPrices } from '../../../compute/signals/watched-prices.js';
import { makeExecution, testRules } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

const d = (text: string) => Decimal.parse(text);
const cents = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((value) => d((value / 100).toFixed(2).replace('-0.00', '0.00')));

/** One thing that happens: a price most of the time, sometimes a command of the partner or the user. */
const happening = fc.oneof(
  { weight: 12, arbitrary: cents(-400, 430).map((change) => ({ kind: 'tick' as const, change })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'wait' as const }) },
  { weight: 1, arbitrary: cents(100, 800).map((distance) => ({ kind: 'trail' as const, distance })) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 100 }).map((percent) => ({ kind: 'sell' as const, percent })),
  },
  { weight: 1, arbitrary: cents(8_500, 10_500).map((price) => ({ kind: 'dca' as const, price })) },
  { weight: 1, arbitrary: cents(8_500, 10_500).map((price) => ({ kind: 'rebuy' as const, price })) },
  { weight: 1, arbitrary: cents(8_500, 10_500).map((price) => ({ kind: 'entry' as const, price })) },
);

const scenario = fc.record({
  side: fc.constantFrom('long' as const, 'short' as const),
  stopOnExchange: fc.boolean(),
  leverage: fc.constantFrom(1, 1, 3),
  fillShare: fc.constantFrom('1', '0.5', '0.17', '0.03'),
  baseFeeRate: fc.constantFrom('0', '0.001'),
  isLate: fc.boolean(),
  happenings: fc.array(happening, { minLength: 5, maxLength: 40 }),
  ending: fc.constantFrom('cancel' as const, 'close' as const),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

function start({
  side,
  stopOnExchange,
  leverage,
  fillShare,
  baseFeeRate,
  isLate,
}: Scenario): ScriptedExchange {
  // Prices of a short are mirrored at 100, so that the same path means the same for both sides.
  const execution = makeExecution({ side, leverage }, { stopOnExchange });
  const rules = { ...execution.rules, feesIn: 'base' as const };
  return new ScriptedExchange(
    { ...execution, rules },
    { fillShare: d(fillShare), isLate, baseFeeRate: d(baseFeeRate) },
  );
}

const mirrored = (side: 'long' | 'short', price: Decimal) =>
  side === 'long' ? price : d('200').minus(price);

function happen(
  exchange: ScriptedExchange,
  side: 'long' | 'short',
  event: Scenario['happenings'][number],
  n: number,
): void {
  const price = exchange.execution.lastPrice ?? d('100');
  const worse = (distance: Decimal) => (side === 'long' ? price.minus(distance) : price.plus(distance));
  const stop = (distance: Decimal) => ({ trigger: worse(distance), limit: worse(distance.plus(d('1'))) });
  switch (event.kind) {
    case 'tick':
      return void exchange.tick(
        (side === 'long' ? price.plus(event.change) : price.minus(event.change)).toString(),
      );
    case 'wait':
      return void exchange.wait(4_000);
    case 'trail':
      return void exchange.tell({ type: 'trailing_stop', stop: stop(event.distance) });
    case 'sell':
      return void exchange.tell({
        type: 'take_profit',
        id: `tp-${n}`,
        orderType: 'market',
        price: null,
        percent: d(String(event.percent)),
        stop: event.percent < 100 ? stop(d('3')) : null,
      });
    case 'dca':
      return void exchange.tell({
        type: 'dca',
        id: `dca-${n}`,
        price: mirrored(side, event.price),
        multiplier: d('1.5'),
      });
    case 'rebuy': {
      const near = mirrored(side, event.price);
      const far = side === 'long' ? near.minus(d('2')) : near.plus(d('2'));
      const [min, max] = side === 'long' ? [far, near] : [near, far];
      return void exchange.tell({ type: 'rebuy', id: `rebuy-${n}`, min, max, amount: d('300'), stop: null });
    }
    case 'entry':
      return void exchange.tell({
        type: 'update_prices',
        entries: { 'entry-1': { price: mirrored(side, event.price), zoneEnd: null } },
      });
  }
}

const runs = {
  numRuns: Number(process.env.SIGNAL_RUNS ?? 1_500),
  seed: Number(process.env.SIGNAL_SEED ?? 20_260_101),
};

describe('execution of a signal, on random paths and commands', () => {
  it('holds its promises at every step and ends flat', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { side } = given;
        const exchange = start(given);
        const cap = exchange.execution.maxInvested.times(d(String(given.leverage)));
        for (const [n, event] of given.happenings.entries()) {
          const before = exchange.execution;
          happen(exchange, side, event, n);
          checkStep(exchange, before.stop, side, cap);
        }
        finish(exchange, given.ending);
      }),
      runs,
    );
  });

  it('gives the same end when every trade is told twice', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const [once, twice] = [start(given), start(given)];
        twice.tellsTwice = true;
        for (const [n, event] of given.happenings.entries())
          for (const exchange of [once, twice]) happen(exchange, given.side, event, n);
        for (const exchange of [once, twice]) finish(exchange, given.ending);
        ok(once.execution.position.exited.compare(twice.execution.position.exited) === 0);
        ok(once.placed.length === twice.placed.length);
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 5) },
    );
  });
});

describe('watchedPrices and nextWakeAt', () => {
  it('name every price and time at which something happens', () => {
    fc.assert(
      fc.property(scenario, fc.integer({ min: 1, max: 99 }), (given, share) => {
        const exchange = start(given);
        for (const [n, event] of given.happenings.entries()) {
          happen(exchange, given.side, event, n);
          const { execution } = exchange;
          const { worse, better } = watchedPrices(execution);
          if (execution.status !== 'open' || !worse || !better) continue;
          if (isAtOrBetter(given.side, worse, better)) continue;
          const price = worse.plus(better.minus(worse).times(d(String(share / 100))));
          checkNothing(execution, { type: 'tick', price, at: 0 });
          const wakeAt = nextWakeAt(execution);
          checkNothing(execution, { type: 'time', at: wakeAt === null ? 1e15 : wakeAt - 1 });
        }
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 5) },
    );
  });
});

function checkNothing(execution: Execution, event: ExecutionEvent): void {
  const { place, cancel, notes } = advanceExecution(execution, event);
  deepEqual([place, cancel, notes], [[], [], []]);
}

type StopOrNone = ScriptedExchange['execution']['stop'];

function checkStep(
  exchange: ScriptedExchange,
  before: StopOrNone,
  side: 'long' | 'short',
  cap: Decimal,
): void {
  const { execution, held, oversold, spent, book } = exchange;
  const { position, stop } = execution;
  const size = side === 'long' ? held : held.negated();
  ok(size.sign >= 0, 'never sells more than it has bought');
  if (exchange.isReported) ok(size.compare(position.quantity) === 0, 'knows what it holds');
  ok(oversold.sign <= 0, 'never has more on sale than it holds');
  ok(spent.compare(cap) <= 0, `never invests more than allowed: ${spent.toString()} > ${cap.toString()}`);
  if (before?.trailing && stop)
    ok(isAtOrBetter(side, stop.trigger, before.trigger), 'the trailing stop never moves back');
  if (isEnded(execution)) ok(book.length === 0, 'nothing stands when it has ended');
}

function finish(exchange: ScriptedExchange, ending: 'cancel' | 'close'): void {
  exchange.tell(ending === 'cancel' ? { type: 'cancel' } : { type: 'close', cause: 'the user closes all' });
  for (let n = 0; n < 60 && !isEnded(exchange.execution); n++) exchange.tick('100').wait(5_000);
  const { execution, held, book } = exchange;
  ok(isEnded(execution), `ends, found ${execution.status}`);
  ok(book.length === 0, 'leaves no order');
  const size = held.sign < 0 ? held.negated() : held;
  ok(
    quantityOnStep(size, testRules)
      .times(execution.lastPrice ?? d('100'))
      .compare(testRules.minNotional) < 0,
    `is flat, holds ${held.toString()}`,
  );
}
