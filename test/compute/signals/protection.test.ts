import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { advanceExecution, type ExecutionStep } from '../../../compute/signals/advance-execution.js';
import type { Execution, Stop } from '../../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import { isAtOrBetter } from '../../../compute/signals/execution-side.js';
import { nextWakeAt } from '../../../compute/signals/next-wake-at.js';
import { watchedPrices } from '../../../compute/signals/watched-prices.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

type Side = 'long' | 'short';
type Event = Parameters<ScriptedExchange['tell']>[0];

const d = (text: string) => Decimal.parse(text);
const both = ['long', 'short'] as const;
/** Prices of a short are mirrored at 100. */
const at = (side: Side, price: string) => (side === 'long' ? d(price) : d('200').minus(d(price)));
const trail = (side: Side, trigger: string, limit = trigger): Event => ({
  type: 'trailing_stop',
  stop: { trigger: at(side, trigger), limit: at(side, limit) },
});
/** A position that was opened at 100, with a stop at 90 for a long. */
const opened = (side: Side, more: Parameters<typeof makeExecution>[0] = {}) =>
  new ScriptedExchange(makeExecution({ side, ...more })).tick('100');
const stopOf = ({ execution: { stop } }: Pick<ScriptedExchange, 'execution'>) =>
  stop && [stop.trigger, stop.limit, stop.trailing?.distance ?? null].map((each) => each && String(each));
const lastNote = ({ notes }: ScriptedExchange) => notes.at(-1)!.type;

for (const side of both)
  describe(`the protection of a ${side} position`, () => {
    it('refuses a trailing stop that the price has passed, also at the price itself, and keeps the old one', () => {
      const exchange = opened(side).tick(String(at(side, '101')));
      const before = stopOf(exchange);
      for (const trigger of ['101', '101.01', '120']) {
        exchange.tell(trail(side, trigger));
        deepEqual([lastNote(exchange), stopOf(exchange)], ['command_refused', before]);
      }
      equal(exchange.tick(String(at(side, '101'))).execution.status, 'open');
      exchange.tell(trail(side, '100.99'));
      deepEqual(stopOf(exchange)?.[0], String(at(side, '100.99')));
    });

    it('refuses a stop and a target that the price has passed', () => {
      const exchange = opened(side).tick(String(at(side, '105')));
      exchange.tell({ type: 'update_prices', stopLoss: at(side, '105') });
      deepEqual([lastNote(exchange), stopOf(exchange)?.[0]], ['command_refused', String(at(side, '90'))]);
      exchange.tell({ type: 'update_prices', targets: { 'target-1': at(side, '105') } });
      deepEqual(
        [lastNote(exchange), String(exchange.execution.targets[0].price)],
        ['command_refused', String(at(side, '110'))],
      );
    });

    it('takes a stop beyond the entries for what is held, and leaves the old one to who has bought nothing', () => {
      const stopLoss = at(side, '105');
      const quote = { price: at(side, '108'), time: 9 };
      const bare = advanceExecution(makeExecution({ side }), {
        ...{ type: 'update_prices', stopLoss, quote, at: 9 },
      });
      deepEqual([bare.notes[0].type, stopOf(bare)?.[0]], ['command_refused', String(at(side, '90'))]);
      const held = opened(side).tick(String(quote.price)).tell({ type: 'update_prices', stopLoss, quote });
      deepEqual(stopOf(held)?.[0], String(stopLoss));
    });

    it('tightens each part of a stop by itself', () => {
      const exchange = opened(side, { targets: [at(side, '180')] }).tick(String(at(side, '120')));
      const parts = (trigger: string, limit: string, distance: string) => [
        String(at(side, trigger)),
        String(at(side, limit)),
        distance,
      ];
      exchange.tell(trail(side, '110', '109'));
      deepEqual(stopOf(exchange), parts('110', '109', '10'));
      exchange.tell(trail(side, '100', '80'));
      deepEqual([lastNote(exchange), stopOf(exchange)], ['command_skipped', parts('110', '109', '10')]);
      exchange.tick(String(at(side, '113'))).tell(trail(side, '108', '107'));
      deepEqual(stopOf(exchange), parts('110', '109', '5'));
      exchange.tick(String(at(side, '117')));
      deepEqual(stopOf(exchange), parts('112', '111', '5'));
    });

    it('never loosens a fixed stop by one that follows the price', () => {
      const exchange = opened(side).tell({ type: 'update_prices', stopLoss: at(side, '95') });
      exchange.tell(trail(side, '70', '69'));
      deepEqual(stopOf(exchange), [String(at(side, '95')), null, '30']);
      exchange.tell({ type: 'update_prices', stopLoss: at(side, '92') });
      deepEqual([lastNote(exchange), stopOf(exchange)?.[0]], ['command_skipped', String(at(side, '95'))]);
    });

    it('sells at market what was not sold at the limit of its stop within 10 s', () => {
      const exchange = opened(side)
        .tell(trail(side, '95', '94'))
        .tick(String(at(side, '80')));
      equal(String(exchange.book[0].price), String(at(side, '94')));
      ok(nextWakeAt(exchange.execution)! > 0);
      equal(exchange.wait(9_000).execution.status, 'closing');
      exchange.wait(1_000);
      deepEqual([exchange.execution.status, String(exchange.held)], ['closed', '0']);
      equal(nextWakeAt(exchange.execution), null);
    });

    it('follows from the price of the trade that activates it, which no tick has told', () => {
      const stop = { trigger: at(side, '115'), limit: at(side, '114') };
      const resting = { stopOnExchange: true, restingTargets: 'all' } as const;
      const exchange = new ScriptedExchange(makeExecution({ side }, resting)).tick('100');
      const sale = { id: 'tp', orderType: 'limit', price: at(side, '120'), percent: d('50') } as const;
      exchange.tick(String(at(side, '101'))).tell({ type: 'take_profit', ...sale, stop });
      exchange.tick(String(at(side, '120')));
      deepEqual(stopOf(exchange), [String(stop.trigger), String(stop.limit), '5']);

      let { execution } = advanceExecution(makeExecution({ side }), { type: 'tick', price: d('100'), at: 1 });
      const quote = { price: at(side, '130'), time: 2 };
      const trailing = { trigger: at(side, '95'), limit: at(side, '94') };
      ({ execution } = advanceExecution(execution, { type: 'trailing_stop', stop: trailing, quote, at: 2 }));
      const [{ quantity }] = execution.orders;
      const fees = { baseFee: Decimal.zero, quoteFee: Decimal.zero };
      const trade = { type: 'fill', leg: 'entry-1', revision: 1, tradeId: '1', quantity, ...fees } as const;
      ({ execution } = advanceExecution(execution, { ...trade, price: d('100'), at: 3 }));
      deepEqual(stopOf({ execution }), [String(trailing.trigger), String(trailing.limit), '5']);
    });

    it('is not sold by a stop beyond the price that comes with a sale or a purchase', () => {
      const bare = () => opened(side, { stopLoss: null, targets: [at(side, '150')] });
      const stop = { trigger: at(side, '120'), limit: at(side, '119') };
      const sale = { id: 'tp', orderType: 'market', price: null, percent: d('10') } as const;
      const sold = bare().tell({ type: 'take_profit', ...sale, stop });
      const [min, max] = side === 'long' ? [d('94'), d('95')] : [d('105'), d('106')];
      const bought = bare().tell({ type: 'rebuy', id: 'rebuy', min, max, amount: d('100'), stop });
      bought.tick(String(at(side, '95')));
      for (const exchange of [sold, bought]) {
        ok(exchange.notes.some(({ type }) => type === 'command_refused'));
        exchange.tick(String(at(side, '95.5')));
        deepEqual([exchange.execution.status, stopOf(exchange)], ['open', null]);
      }
      equal(String(sold.held), String(side === 'long' ? '8.1' : '-8.1'));
    });

    it('never gets less by any sequence of commands', () => {
      const price = fc.integer({ min: 8_000, max: 12_500 }).map((cents) => (cents / 100).toFixed(2));
      const event = fc.oneof(
        fc.record({ kind: fc.constant('trail' as const), price, gap: fc.integer({ min: 0, max: 20 }) }),
        fc.record({ kind: fc.constant('stop' as const), price, gap: fc.constant(0) }),
        fc.record({ kind: fc.constant('sell' as const), price, gap: fc.integer({ min: 0, max: 20 }) }),
        fc.record({ kind: fc.constant('rebuy' as const), price, gap: fc.integer({ min: 0, max: 20 }) }),
        fc.record({ kind: fc.constant('tick' as const), price, gap: fc.constant(0) }),
      );
      fc.assert(
        fc.property(
          fc.array(event, { minLength: 3, maxLength: 25 }),
          fc.boolean(),
          (events, stopOnExchange) => {
            const exchange = new ScriptedExchange(makeExecution({ side }, { stopOnExchange })).tick('100');
            for (const [n, { kind, price: level, gap }] of events.entries()) {
              const { stop, status } = exchange.execution;
              if (kind === 'tick') exchange.tick(String(at(side, level)));
              else exchange.tell(commandOf(side, kind, { level, gap: String(gap), n }));
              if (status === 'open' && exchange.execution.status === 'open')
                checkNoLess(side, stop!, exchange.execution.stop);
              if (kind !== 'tick') equal(exchange.execution.status, status, 'no command ends the protection');
              const isBare = exchange.book.every(({ leg }) => leg !== 'stop' && leg !== 'close');
              ok(!stopOnExchange || exchange.held.sign === 0 || !isBare, 'an order protects the position');
            }
          },
        ),
        { numRuns: 1_000, seed: 33 },
      );
    });

    it('is never ended by a price from before the command that has set it', () => {
      const price = fc.integer({ min: 8_000, max: 12_500 }).map((cents) => (cents / 100).toFixed(2));
      const kinds = fc.constantFrom('trail' as const, 'stop' as const, 'sell' as const);
      const range = fc.record({ price, other: price, time: fc.integer({ min: 1, max: 1_000 }) });
      fc.assert(
        fc.property(kinds, price, fc.array(range, { maxLength: 8 }), (kind, level, ranges) => {
          const { execution } = opened(side, { targets: [at(side, '199')], stopLoss: at(side, '50') });
          const quote = { price: at(side, '100'), time: 1_000 };
          const command = { ...commandOf(side, kind, { level, gap: '1', n: 0 }), quote } as Event;
          let step: ExecutionStep = advanceExecution(execution, { ...command, at: 5_000 });
          for (const { price: last, other, time } of ranges) {
            const [one, two] = [at(side, last), at(side, other)];
            const [low, high] = one.compare(two) < 0 ? [one, two] : [two, one];
            const tick = { type: 'tick', price: one, low, high, since: time - 1, time } as const;
            step = advanceExecution(step.execution, { ...tick, at: 5_001 });
            deepEqual([step.execution.status, step.place], ['open', []]);
          }
          // A range that began before the command counts with its price alone.
          const late = {
            type: 'tick',
            price: quote.price,
            low: d('60'),
            high: d('140'),
            since: 900,
          } as const;
          step = advanceExecution(step.execution, { ...late, time: 1_001, at: 5_002 });
          const isReached = kind === 'sell' && isAtOrBetter(side, quote.price, at(side, level));
          equal(step.place.length > 0, isReached);
        }),
        { numRuns: 1_000, seed: 33 },
      );
    });
  });

function commandOf(
  side: Side,
  kind: 'trail' | 'stop' | 'sell' | 'rebuy',
  { level, gap, n }: { level: string; gap: string; n: number },
): Event {
  const price = at(side, level);
  const limit = side === 'long' ? price.minus(d(gap)) : price.plus(d(gap));
  const stop = { trigger: price, limit };
  switch (kind) {
    case 'trail':
      return { type: 'trailing_stop', stop };
    case 'stop':
      return { type: 'update_prices', stopLoss: price };
    case 'sell':
      return { type: 'take_profit', id: `tp-${n}`, orderType: 'limit', price, percent: d('50'), stop };
    case 'rebuy': {
      const [min, max] = side === 'long' ? [limit, price] : [price, limit];
      return { type: 'rebuy', id: `rebuy-${n}`, min, max, amount: d('100'), stop };
    }
  }
}

function checkNoLess(side: Side, before: Stop, after: Stop | null): void {
  ok(after, 'the stop stays');
  ok(isAtOrBetter(side, after.trigger, before.trigger), 'the trigger never loosens');
  if (before.limit && after.limit)
    ok(isAtOrBetter(side, after.limit, before.limit), 'the limit never loosens');
  const [was, is] = [before.trailing?.distance, after.trailing?.distance];
  if (was) ok(is && is.compare(was) <= 0, 'the distance never grows');
}

describe('an order of a position', () => {
  const standing = () => new ScriptedExchange(makeExecution({}, { stopOnExchange: true })).tick('100');
  const end = (
    { execution }: { execution: Execution },
    leg: string,
    status: 'cancelled' | 'rejected',
    atMs: number,
  ): ExecutionEvent => {
    const { revision } = execution.orders.find((order) => order.leg === leg)!;
    return { type: 'order', leg, revision, status, filled: Decimal.zero, at: atMs };
  };

  it('is not placed again once its owner has cancelled it, and its stop is watched', () => {
    const exchange = standing();
    const { place, execution, notes } = advanceExecution(
      exchange.execution,
      end(exchange, 'stop', 'cancelled', 2_000),
    );
    deepEqual([place, execution.stopOnExchange, notes[0].type], [[], false, 'cancelled_by_hand']);
    const later = advanceExecution(execution, { type: 'time', at: 600_000 });
    deepEqual(later.place, []);
    const fired = advanceExecution(later.execution, { type: 'tick', price: d('90'), at: 600_001 });
    deepEqual(
      fired.place.map(({ leg, type }) => [leg, type]),
      [['close', 'market']],
    );
  });

  it('is not placed again by a hand that cancels it long after the exchange has refused it once', () => {
    const refused = advanceExecution(standing().execution, end(standing(), 'stop', 'rejected', 2_000));
    const again = advanceExecution(refused.execution, { type: 'time', at: 3_000 });
    const atMs = 3_000 + 86_400_000;
    const cancelled = advanceExecution(again.execution, end(again, 'stop', 'cancelled', atMs));
    deepEqual([cancelled.place, cancelled.notes[0].type], [[], 'cancelled_by_hand']);
    deepEqual(advanceExecution(cancelled.execution, { type: 'time', at: atMs + 60_000 }).place, []);
  });

  it('is taken back when its owner has sold all but dust, and the signal ends', () => {
    const exchange = standing().tell({ type: 'balance', held: d('0.0004') });
    deepEqual(
      [exchange.execution.status, exchange.book.length, exchange.notes.slice(-3).map(({ type }) => type)],
      ['closed', 0, ['closing', 'dust', 'closed']],
    );
    // More than a step stays protected.
    const rest = standing().tell({ type: 'balance', held: d('0.8') });
    deepEqual(
      [rest.execution.status, rest.book.map(({ leg, left }) => `${leg} ${left.toString()}`)],
      ['open', ['stop 0.8']],
    );
  });

  it('is placed again however often it was refused, as long as it stood in between', () => {
    let { execution } = standing();
    for (let day = 1; day <= 5; day++) {
      const refused = { ...end({ execution }, 'stop', 'cancelled', day * 86_400_000), reason: 'delisted' };
      ({ execution } = advanceExecution(execution, refused));
      ({ execution } = advanceExecution(execution, { type: 'time', at: day * 86_400_000 + 1_000 }));
      ok(
        execution.orders.some(({ leg }) => leg === 'stop'),
        `day ${day}`,
      );
    }
  });

  it('is offered again every 5 seconds at least for a minute of refusals, then each minute, and its price is watched until then', () => {
    let { execution } = standing();
    let nowMs = 10_000;
    for (let refusals = 0; refusals < 20; refusals++) {
      const refused = { ...end({ execution }, 'stop', 'cancelled', nowMs), reason: 'the symbol is halted' };
      ({ execution } = advanceExecution(execution, refused));
      equal(String(watchedPrices(execution).worse), '90');
      const next = nextWakeAt(execution)!;
      const mostMs = refusals < 12 ? 5_000 : 60_000;
      ok(next > nowMs && next <= nowMs + mostMs, `${next - nowMs} ms after refusal ${refusals + 1}`);
      nowMs = next;
      const { place, execution: later } = advanceExecution(execution, { type: 'time', at: nowMs });
      deepEqual(
        place.map(({ leg, type }) => [leg, type]),
        [['stop', 'stop']],
      );
      execution = later;
    }
  });

  it('stays on the exchange when the exchange refuses a better one', () => {
    const exchange = standing().tell({ type: 'update_prices', stopLoss: d('95') });
    let { execution } = standing();
    notEqual(exchange.book[0].replaces, undefined);
    for (const [n, time] of [10_000, 12_000, 15_000].entries()) {
      const move = { type: 'update_prices', stopLoss: d(`${95 + n}`), at: time } as const;
      const step = advanceExecution(execution, move);
      deepEqual([step.cancel, step.place[0].replaces?.revision], [[], 1]);
      const { leg, revision } = step.place[0];
      const refusal = {
        type: 'order',
        leg,
        revision,
        status: 'rejected',
        filled: Decimal.zero,
        at: time,
      } as const;
      const refused = advanceExecution(step.execution, refusal);
      deepEqual(refused.cancel, []);
      ({ execution } = refused);
    }
    deepEqual(
      execution.orders.map(({ revision, state }) => [revision, state]),
      [[1, 'placed']],
    );
  });
});
