import assert from 'node:assert/strict';
import {
  combinationAt,
  completeGrid,
  gridAround,
  gridSize,
} from '../../../compute/backtest/parameter-grid.js';
import { strategies, strategyNamed } from '../../../compute/strategies/index.js';
import type { Strategy } from '../../../compute/model/strategy.js';

describe('a parameter grid', () => {
  it('numbers its combinations, the last parameter fastest', () => {
    const grid = { a: [1, 2], b: [10, 20, 30], c: [7] };
    assert.equal(gridSize(grid), 6);
    const all = Array.from({ length: 6 }, (_, n) => combinationAt(grid, n));
    assert.deepEqual(
      all.map(({ a, b, c }) => [a, b, c]),
      [
        [1, 10, 7],
        [1, 20, 7],
        [1, 30, 7],
        [2, 10, 7],
        [2, 20, 7],
        [2, 30, 7],
      ],
    );
    assert.deepEqual(Object.keys(all[0]), ['a', 'b', 'c']);
  });

  it('has one combination without parameters', () => {
    assert.equal(gridSize({}), 1);
    assert.deepEqual(combinationAt({}, 0), {});
  });

  it('lies around the defaults of every strategy, within ranges and on steps', () => {
    for (const strategy of strategies as readonly Strategy<string>[]) {
      const grid = gridAround(strategy.params);
      assert.deepEqual(completeGrid(strategy, grid, 500), grid);
      for (const [name, values] of Object.entries(grid)) {
        assert.ok(values.length >= 3 && values.length <= 5, `${strategy.name} ${name}: ${values.join()}`);
        assert.ok(values.includes(strategy.params[name].default));
        assert.deepEqual(
          values,
          [...new Set(values)].toSorted((left, right) => left - right),
        );
      }
    }
  });

  it('is completed with the defaults of what it leaves out', () => {
    assert.deepEqual(completeGrid(strategyNamed('macd_cross'), { slow: [30, 40] }, 10), {
      fast: [12],
      slow: [30, 40],
      signal: [9],
    });
  });

  it('has each value once, also where one is repeated', () => {
    const grid = completeGrid(strategyNamed('macd_cross'), { fast: [5, 5], slow: [40, 30, 40] }, 2);
    assert.deepEqual(grid, { fast: [5], slow: [40, 30], signal: [9] });
    assert.equal(gridSize(grid), 2);
  });
});
