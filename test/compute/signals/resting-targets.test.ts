import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { isEnded, type RestingTargets } from '../../../compute/signals/execution.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { ScriptedExchange, type ExchangeHabits } from '../../support/signals/scripted-exchange.js';

type Side = 'long' | 'short';

const d = (text: string) => Decimal.parse(text);
/** Prices of a short are mirrored at 100. */
const at = (side: Side, price: string) => (side === 'long' ? d(price) : d('200').minus(d(price)));
const opened = (side: Side, restingTargets: RestingTargets, habits: Partial<ExchangeHabits> = {}) =>
  new ScriptedExchange(makeExecution({ side }, { stopOnExchange: true, restingTargets }), habits).tick('100');
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
    });

    it('go on by its own order when the other was filled in part', () => {
      const exchange = opened(side, 'last', { fillShare: d('0.4') });
      while (sizeOf(exchange).compare(d('9')) < 0) exchange.tick('100');
      exchange.tick(price('131'));
      ok(bookOf(exchange).every((row) => !row.startsWith('stop') || row.includes(` ${price('90')} - `)));
      while (!isEnded(exchange.execution)) exchange.tick(price('131'));
      equal(String(exchange.held), '0');
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
