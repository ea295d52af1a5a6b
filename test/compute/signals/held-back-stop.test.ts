import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { stopOrderPrice } from '../../../compute/signals/held-back-stop.js';
import { nextWakeAt } from '../../../compute/signals/next-wake-at.js';
import { watchedPrices } from '../../../compute/signals/watched-prices.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

const d = (text: string) => Decimal.parse(text);
const moveMs = 5_000;

/** A position opened at 100 with a stop that follows the price 10 behind, one price each second. */
function trailed(side: 'long' | 'short', stopMoveMs = moveMs): ScriptedExchange {
  const isLong = side === 'long';
  const targets = [d(isLong ? '1000' : '1')];
  const execution = makeExecution({ side, targets }, { stopOnExchange: true, stopMoveMs });
  const stop = isLong ? { trigger: d('90'), limit: d('80') } : { trigger: d('110'), limit: d('120') };
  return new ScriptedExchange(execution).tick('100').tell({ type: 'trailing_stop', stop });
}

const standing = ({ book }: ScriptedExchange) =>
  book.filter(({ leg }) => leg === 'stop').map(({ stopPrice }) => String(stopPrice));
const stopsPlaced = ({ placed }: ScriptedExchange) => placed.filter(({ leg }) => leg === 'stop').length;

describe('a stop order that follows the price', () => {
  it('is replaced once in a while, whatever the price does, with the newest stop', () => {
    const exchange = trailed('long');
    const before = stopsPlaced(exchange);
    for (let price = 101; price <= 120; price++) exchange.tick(String(price));
    ok(stopsPlaced(exchange) - before <= 20 / 5 + 1, String(stopsPlaced(exchange) - before));
    exchange.wait(moveMs);
    deepEqual(standing(exchange), ['110']);
  });

  it('is replaced at each move without a time', () => {
    const exchange = trailed('long', 0);
    const before = stopsPlaced(exchange);
    for (let price = 101; price <= 120; price++) exchange.tick(String(price));
    equal(stopsPlaced(exchange) - before, 20);
  });

  it('is replaced at once when the price comes near, and when the partner gives another stop', () => {
    const exchange = trailed('long').path('101', '103', '104');
    deepEqual(standing(exchange), ['90']);
    equal(String(watchedPrices(exchange.execution).worse), '99');
    ok(nextWakeAt(exchange.execution)! > 0);
    exchange.tick('99');
    deepEqual(standing(exchange), ['94']);
    exchange.path('105', '106');
    deepEqual(standing(exchange), ['94']);
    exchange.tell({ type: 'trailing_stop', stop: { trigger: d('100'), limit: d('90') } });
    deepEqual(standing(exchange), ['100']);
  });

  it('never moves twice within the time unless the price is near, and is the newest one whenever it is', () => {
    const walk = fc.array(fc.integer({ min: -300, max: 320 }), { minLength: 20, maxLength: 80 });
    fc.assert(
      fc.property(fc.constantFrom('long' as const, 'short' as const), walk, (side, changes) => {
        const exchange = trailed(side);
        let [cents, lastAt] = [10_000, 1];
        for (const [second, change] of changes.entries()) {
          cents = Math.max(2_000, Math.min(20_000, cents + (side === 'long' ? change : -change)));
          const [price, before] = [(cents / 100).toFixed(2), stopsPlaced(exchange)];
          exchange.tick(price);
          const { stop, status } = exchange.execution;
          if (status !== 'open' || !stop?.trailing) return;
          const { best } = stop.trailing;
          const way = Math.abs(Number(best) - Number(stop.trigger));
          const isNear = Math.abs(Number(best) - Number(price)) >= way / 2 - 1e-9;
          const isNewest = standing(exchange)[0] === String(stopOrderPrice(exchange.execution));
          ok(!isNear || isNewest, `near at ${price}`);
          equal(standing(exchange).length, 1);
          if (stopsPlaced(exchange) === before) continue;
          ok(isNear || second + 2 - lastAt >= moveMs / 1_000, `moved after ${second + 2 - lastAt} s`);
          lastAt = second + 2;
        }
        exchange.wait(moveMs);
        deepEqual(standing(exchange), [String(stopOrderPrice(exchange.execution))]);
      }),
      { numRuns: 1_500 },
    );
  });
});
