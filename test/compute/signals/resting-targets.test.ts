import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { isEnded, type RestingTargets } from '../../../compute/signals/execution.js';
import { nextWakeAt } from '../../../compute/signals/next-wake-at.js';
import { watchedPrices } from '../../../compute/signals/watched-prices.js';
import { isReducible } from '../../../compute/model/pair-rules.js';
import { makeExecution, testRules } from '../../support/signals/make-execution.js';
import { ScriptedExchange, type ExchangeHabits } from '../../support/signals/scripted-exchange.js';

type Side = 'long' | 'short';

const d = (text: string) => Decimal.parse(text);
/** Prices of a short are mirrored at 100. */
const at = (side: Side, price: string) => (side === 'long' ? d(price) : d('200').minus(d(price)));
const opened = (
  side: Side,
  restingTargets?: RestingTargets,
  habits: Partial<ExchangeHabits> = {},
  targets = ['110', '120', '130'],
) => {
  const signal = { side, targets: targets.map((target) => at(side, target)) };
  const settings = { stopOnExchange: true, ...(restingTargets && { restingTargets }) };
  return new ScriptedExchange(makeExecution(signal, settings), habits).tick('100');
};
const sizeOf = ({ held }: ScriptedExchange) => (held.sign < 0 ? held.negated() : held);
const bookOf = ({ book }: ScriptedExchange) =>
  book.map(({ leg, price, stopPrice, targetPrice, left }) =>
    [leg, price, stopPrice, targetPrice, left].map((each) => (each ? String(each) : '-')).join(' '),
  );

for (const side of ['long', 'short'] as const)
  describe(`the targets of a ${side} position that rest on the exchange`, () => {
    const price = (text: string) => String(at(side, text));

    it('stand beside its stop where orders only reduce', () => {
      const exchange = opened(side, 'all');
      deepEqual(bookOf(exchange).sort(), [
        `stop - ${price('90')} - 9`,
        `target-1 ${price('110')} - - 3`,
        `target-2 ${price('120')} - - 3`,
        `target-3 ${price('130')} - - 3`,
      ]);
      exchange.tick(price('121'));
      deepEqual(bookOf(exchange).sort(), [`stop - ${price('90')} - 3`, `target-3 ${price('130')} - - 3`]);
      // Both were filled before the price was told: no order was placed or cancelled for them.
      deepEqual(
        exchange.placed.map(({ leg }) => leg).filter((leg) => leg !== 'stop'),
        ['entry-1', 'target-1', 'target-2', 'target-3'],
      );
      deepEqual(
        exchange.notes.filter(({ type }) => type === 'target_reached').map(({ figures }) => figures!.leg),
        ['target-1', 'target-2'],
      );
      equal(exchange.tick(price('130')).execution.status, 'closed');
      equal(String(exchange.held), '0');
    });

    it('are watched once the exchange has refused or ended their order', () => {
      const exchange = opened(side, 'all');
      const { leg, revision } = exchange.book.find((order) => order.leg === 'target-1')!;
      exchange.drop({ ...exchange.book.find((order) => order.leg === 'target-1')! });
      exchange.tell({ type: 'order', leg, revision, status: 'expired', filled: Decimal.zero });
      ok(exchange.wait(60_000).book.every((order) => order.leg !== 'target-1'));
      exchange.tick(price('110'));
      equal(exchange.placed.at(-1)!.leg, 'stop');
      equal(String(exchange.held.sign < 0 ? exchange.held.negated() : exchange.held), '6');
    });

    it('leave with the position when its stop sells', () => {
      const exchange = opened(side, 'all').tick(price('90'));
      deepEqual([bookOf(exchange), String(exchange.held), exchange.execution.status], [[], '0', 'closed']);
    });

    it('are the last one in one order with the stop elsewhere, which sells all if the price jumps there', () => {
      const exchange = opened(side, 'last');
      deepEqual(bookOf(exchange), [`stop - ${price('90')} ${price('130')} 9`]);
      exchange.tick(price('110'));
      deepEqual(bookOf(exchange), [`stop - ${price('90')} ${price('130')} 6`]);
      exchange.tick(price('135'));
      deepEqual([bookOf(exchange), String(exchange.held), exchange.execution.status], [[], '0', 'closed']);
      deepEqual(
        exchange.placed.map(({ leg }) => leg),
        ['entry-1', 'stop', 'stop', 'target-1'],
      );
    });

    it('leave the stop alone while it follows the price, and after a refusal', () => {
      const trailing = opened(side, 'last').tell({
        type: 'trailing_stop',
        stop: { trigger: at(side, '95'), limit: at(side, '94') },
      });
      deepEqual(bookOf(trailing), [`stop ${price('94')} ${price('95')} - 9`]);
      const refused = opened(side, 'last');
      const [{ leg, revision }] = refused.book;
      refused.drop({ ...refused.book[0] }).tell({
        ...{ type: 'order', leg, revision, status: 'rejected', filled: Decimal.zero },
        reason: 'Filter failure: PERCENT_PRICE_BY_SIDE',
      });
      deepEqual(bookOf(refused), [`stop - ${price('90')} - 9`]);
      // Both in one order are offered again as a stop is, also without a new price.
      equal(nextWakeAt(refused.execution), refused.now + 60_000);
      deepEqual(bookOf(refused.wait(60_000)), [`stop - ${price('90')} ${price('130')} 9`]);
      equal(nextWakeAt(refused.execution), null);
    });

    it('sell for a second when one order of both was filled in part, then the stop has the rest, in one order again if it can be', () => {
      const exchange = opened(side, 'last', { fillShare: d('0.4') }, ['130']);
      while (sizeOf(exchange).compare(d('9')) < 0) exchange.tick('100');
      const stop = `stop - ${price('90')}`;
      deepEqual(bookOf(exchange.tick(price('131'))), [`${stop} ${price('130')} 5.4`]);
      deepEqual(bookOf(exchange.wait(1_000)), [`${stop} - 5.4`]);
      deepEqual(bookOf(exchange.tick(price('131'))), [`${stop} - 5.4`]);
      deepEqual(bookOf(exchange.tick(price('129'))), [`${stop} ${price('130')} 5.4`]);
      exchange.tick(price('131')).wait(30_000);
      // It is tried again after half a minute, for a second.
      equal(exchange.tick(price('131')).placed.at(-1)!.leg, 'target-1');
      equal(exchange.wait(1_000).placed.at(-1)!.leg, 'stop');
      while (!isEnded(exchange.execution)) exchange.wait(30_000).tick(price('131'));
      equal(String(exchange.held), '0');
    });

    it('keep their order for a rest that is worth too little for a stop, and its stop is watched', () => {
      for (const resting of ['last', undefined] as const) {
        const exchange = opened(side, resting, { fillShare: d('0.997') }, ['130']);
        while (sizeOf(exchange).compare(d('9')) < 0) exchange.tick('100');
        const rest = String(exchange.tick(price('131')).book[0].left);
        equal(rest, '0.027');
        const placed = exchange.placed.length;
        for (let n = 0; n < 90; n++) exchange.tick(price('125'));
        deepEqual([exchange.placed.length, bookOf(exchange)[0].split(' ').at(-1)], [placed, rest]);
        exchange.tick(price('89'));
        deepEqual([exchange.placed.at(-1)!.leg, exchange.placed.at(-1)!.type], ['close', 'market']);
        exchange.tick(price('89')).tick(price('89'));
        deepEqual([String(exchange.held), exchange.execution.status], ['0', 'closed']);
      }
    });

    it('leave what they have not sold in a second to the stop, and are tried again', () => {
      const exchange = opened(side, 'last', { fillShare: d('0.5') });
      while (sizeOf(exchange).compare(d('9')) < 0) exchange.tick('100');
      const waited = exchange.tick(price('110')).wait(1_000);
      const both = `stop - ${price('90')} ${price('130')}`;
      deepEqual(bookOf(waited), [`${both} ${String(sizeOf(waited))}`]);
      equal(waited.notes.at(-1)!.type, 'target_waits');
      const left = sizeOf(waited);
      equal(sizeOf(waited.tick(price('110'))).compare(left), 0);
      deepEqual(watchedPrices(waited.execution).better, at(side, '120'));
      // Its price counts again after half a minute.
      ok(sizeOf(waited.wait(30_000).tick(price('110'))).compare(left) < 0);
    });

    it('have their second once the stop has made room, which takes that long on a slow exchange', () => {
      for (const resting of ['last', undefined] as const) {
        const exchange = opened(side, resting, { isLate: true });
        while (sizeOf(exchange).compare(d('9')) < 0) exchange.tick('100');
        exchange.path('100', price('110'), price('110'), price('110'));
        const { placed, notes, execution } = exchange;
        equal(
          placed.filter(({ leg }) => leg === 'target-1').length,
          1,
          JSON.stringify(notes.map(({ type }) => type)),
        );
        deepEqual([execution.targets[0].state, String(sizeOf(exchange))], ['done', '6']);
      }
    });

    it('keep no part that a stop could protect from it for longer than a second, and never loop', () => {
      const level = fc.constantFrom('95', '109', '110', '121', '129', '130', '131', '140');
      fc.assert(
        fc.property(
          fc.constantFrom('last' as const, undefined),
          fc.constantFrom('0.003', '0.3', '0.996', '1').map(d),
          fc.array(level, { maxLength: 15 }),
          level,
          (resting, fillShare, path, last) => {
            const exchange = opened(side, resting, { fillShare });
            for (let n = 0; n < 400 && sizeOf(exchange).compare(d('9')) < 0; n++) exchange.tick('100');
            const since = new Map<string, number>();
            const placed = exchange.placed.length;
            const prices = [...path, ...Array.from({ length: 120 }, () => last)];
            for (const next of prices) {
              exchange.tick(price(next));
              const wakesAt = nextWakeAt(exchange.execution);
              ok(wakesAt === null || wakesAt > exchange.now, 'it is not woken for nothing');
              for (const { leg, revision, type, isAtTarget, left } of exchange.book) {
                if (type === 'stop' && !isAtTarget) continue;
                const key = `${leg} ${revision}`;
                if (!since.has(key)) since.set(key, exchange.now);
                const isProtectable = isReducible(left, at(side, side === 'long' ? '90' : '130'), testRules);
                ok(!isProtectable || exchange.now - since.get(key)! < 1_000, `${key} has ${String(left)}`);
              }
            }
            // For each time that a target is tried: its order, the stop, and that in one order with the last target.
            const tries = prices.length / 30 + path.length + 1;
            ok(exchange.placed.length - placed <= 3 * 4 * tries, String(exchange.placed.length));
          },
        ),
        { numRuns: 60, seed: 10 },
      );
    });

    it('never leave the position without its stop, or sell more than it, on any path', () => {
      const percent = fc.integer({ min: 85, max: 135 }).map((level) => price(String(level)));
      const stop = fc.integer({ min: 80, max: 130 }).map((level) => at(side, String(level)));
      const event = fc.oneof(
        { weight: 4, arbitrary: percent.map((level) => ({ kind: 'tick' as const, level })) },
        stop.map((level) => ({ kind: 'stop' as const, level })),
        stop.map((level) => ({ kind: 'trail' as const, level })),
        stop.map((level) => ({ kind: 'sell' as const, level })),
      );
      const habits = fc.record({
        fillShare: fc.constantFrom('0.3', '1').map(d),
        baseFeeRate: fc.constantFrom('0', side === 'long' ? '0.001' : '0').map(d),
        isLate: fc.boolean(),
      });
      fc.assert(
        fc.property(
          fc.constantFrom('all' as const, 'last' as const),
          habits,
          fc.array(event, { maxLength: 20 }),
          (resting, given, events) => {
            const exchange = opened(side, resting, given);
            for (const [n, { kind, level }] of events.entries()) {
              if (kind === 'tick') exchange.tick(level);
              else if (kind === 'stop') exchange.tell({ type: 'update_prices', stopLoss: level });
              else {
                const stopTerms = { trigger: level, limit: level };
                if (kind === 'trail') exchange.tell({ type: 'trailing_stop', stop: stopTerms });
                else
                  exchange.tell({
                    ...{ type: 'take_profit', id: `tp-${n}`, orderType: 'limit', percent: d('50') },
                    ...{ price: level, stop: stopTerms },
                  });
              }
              // Of orders that only reduce, the exchange cuts off what fills have taken meanwhile.
              ok(
                resting === 'all' || exchange.oversold.sign <= 0,
                `${exchange.oversold.toString()} too much on sale`,
              );
              const { stop: isStop, status, position } = exchange.execution;
              const isBare = exchange.book.every(({ reduces }) => !reduces);
              const least = Decimal.min(position.quantity, sizeOf(exchange));
              ok(
                given.isLate || !isStop || status !== 'open' || least.compare(d('0.1')) < 0 || !isBare,
                'an order protects it',
              );
            }
            exchange.tell({ type: 'cancel' });
            for (let n = 0; n < 40 && !isEnded(exchange.execution); n++) exchange.tick(price('100'));
            ok(isEnded(exchange.execution), exchange.execution.status);
            ok(sizeOf(exchange).compare(d('0.001')) < 0, String(exchange.held));
          },
        ),
        { numRuns: 500, seed: 10 },
      );
    });
  });
