import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import { makeExecution, testRules } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

const d = (text: string) => Decimal.parse(text);
const rules = { ...testRules, maxQuantity: d('4'), maxMarketQuantity: d('2.5') };

describe('orders of an exchange that takes no more than so much at once', () => {
  it('are placed one after the other, until all is bought, and all is sold', () => {
    // 900 at 100 are 9.
    const exchange = new ScriptedExchange({ ...makeExecution(), rules }).path('100', '100', '100');
    const bought = exchange.placed.filter(({ leg }) => leg === 'entry-1');
    deepEqual(
      bought.map(({ quantity }) => String(quantity)),
      ['4', '4', '1'],
    );
    exchange.path('90', '90', '90', '90');
    const sold = exchange.placed.filter(({ leg }) => leg === 'close');
    deepEqual(
      sold.map(({ quantity, type }) => [String(quantity), type]),
      [
        ['2.5', 'market'],
        ['2.5', 'market'],
        ['2.5', 'market'],
        ['1.5', 'market'],
      ],
    );
    deepEqual([exchange.execution.status, exchange.held.sign], ['closed', 0]);
  });

  it('are never larger, never sell more than is held, and end flat, whatever is filled of each', () => {
    const price = fc.integer({ min: 80, max: 140 }).map(String);
    const side = fc.constantFrom('long' as const, 'short' as const);
    const share = fc.constantFrom('0.1', '0.5', '1');
    fc.assert(
      fc.property(
        fc.array(price, { maxLength: 20 }),
        side,
        share,
        fc.boolean(),
        (path, of, fillShare, stands) => {
          const execution = { ...makeExecution({ side: of }, { stopOnExchange: stands }), rules };
          const exchange = new ScriptedExchange(execution, { fillShare: d(fillShare) }).path('100', ...path);
          exchange.tell({ type: 'close', cause: 'the user closes it' });
          for (let n = 0; n < 200 && exchange.execution.status === 'closing'; n++)
            exchange.tick('100').wait(61_000);
          for (const { quantity, price: limit } of exchange.placed)
            ok(quantity.compare(limit ? rules.maxQuantity : rules.maxMarketQuantity) <= 0, String(quantity));
          ok(exchange.oversold.sign <= 0);
          const left = exchange.held.sign < 0 ? exchange.held.negated() : exchange.held;
          equal(left.compare(rules.stepSize) < 0, true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('follow the rules that the exchange has now', () => {
    const exchange = new ScriptedExchange(makeExecution());
    const coarse = { ...testRules, stepSize: d('1'), minQuantity: d('1') };
    const { execution } = advanceExecution(exchange.execution, { type: 'rules', rules: coarse, at: 0 });
    const { place } = advanceExecution(execution, { type: 'tick', price: d('99.7'), at: 1 });
    deepEqual(
      place.map(({ quantity }) => String(quantity)),
      ['9'],
    );
  });
});
