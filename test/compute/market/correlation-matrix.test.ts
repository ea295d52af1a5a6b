import assert from 'node:assert/strict';
import { sliceCandles } from '../../../compute/model/candles.js';
import type { PairCandles } from '../../../compute/task.js';
import { correlationMatrix } from '../../../compute/market/correlation-matrix.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { naiveCorrelation, naiveReturns } from '../../support/naive/naive-correlation.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { candlesWhere, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { describeWithSharedData, sharedCandles, sharedJson } from '../../support/candles/shared-data.js';

const run = (pairs: readonly PairCandles[], window = 90) =>
  correlationMatrix.run({
    pairs,
    interval: '1d',
    params: { assets: pairs.map(({ asset }) => asset), window },
  });

const dayMs = 86_400_000;
const daily = (seed: number, count = 200) => randomCandles(count, { seed, stepMs: dayMs });

describe('correlation-matrix', () => {
  const demo = pairsOf({
    BTC: demoCandles('BTC_USDT', '1d'),
    SOL: candlesWhere(demoCandles('SOL_USDT', '1d'), (i) => i % 17 !== 0),
    PEPE: candlesWhere(demoCandles('PEPE_USDT', '1d'), (i) => i % 23 !== 0),
  });

  it('is the correlation of returns on common candles, computed another way', () => {
    const result = run(demo, 120);
    const times = demo.map(({ candles }) => new Set(candles.time));
    const common = [...demo[0].candles.time]
      .filter((time) => times.every((set) => set.has(time)))
      .slice(-121);
    const returns = demo.map(({ candles: { time, close } }) =>
      naiveReturns(common.map((each) => close[time.indexOf(each)])),
    );
    assert.deepEqual([result.assets, result.count], [['BTC', 'SOL', 'PEPE'], 120]);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        assertClose(result.matrix[i][j], naiveCorrelation(returns[i], returns[j]), `${i} ${j}`);
    assert.deepEqual([result.from, result.to], [common[0], common[120] + dayMs]);
    assert.equal(result.gaps, common.filter((time, i) => i > 0 && time - common[i - 1] > dayMs).length);
    assert.ok(result.gaps > 5);
  });

  it('averages what lies off the diagonal, and names the lowest and the highest pair', () => {
    const { matrix, pairs, average, least, most } = run(demo);
    const off = [matrix[0][1], matrix[0][2], matrix[1][2]].map(Number);
    assertClose(average, (off[0] + off[1] + off[2]) / 3, 'average');
    assert.deepEqual(
      pairs.map(({ first, second, correlation }) => [first, second, correlation]),
      [
        ['BTC', 'SOL', off[0]],
        ['BTC', 'PEPE', off[1]],
        ['SOL', 'PEPE', off[2]],
      ],
    );
    assert.equal(least!.correlation, Math.min(...off));
    assert.equal(most!.correlation, Math.max(...off));
    for (const { low, correlation, high } of pairs) assert.ok(low! < correlation! && correlation! < high!);
  });

  it('is symmetric with ones on the diagonal, and does not change its input', () => {
    const before = demo.map(({ candles }) => [...candles.close]);
    const { matrix } = run(demo);
    matrix.forEach((row, i) => row.forEach((value, j) => assert.equal(value, matrix[j][i])));
    matrix.forEach((row, i) => assert.equal(row[i], 1));
    assert.deepEqual(
      demo.map(({ candles }) => [...candles.close]),
      before,
    );
  });

  it('sees neither later candles nor more of the past than the window', () => {
    const cut = demo.map((pair) => ({ ...pair, candles: sliceCandles(pair.candles, 0, 150) }));
    const tail = cut.map((pair) => ({ ...pair, candles: sliceCandles(pair.candles, 40, 150) }));
    const pick = (pairs: PairCandles[]) => run([pairs[0], pairs[1]], 60);
    assert.deepEqual(pick(tail), pick(cut));
  });

  it('has no correlation beside a price that does not move', () => {
    const flat = { ...flatCandles(200), time: daily(1).time };
    const { matrix, average, least, pairs } = run(pairsOf({ A: daily(1), FLAT: flat, B: daily(2) }));
    assert.deepEqual([matrix[0][1], matrix[1][1], matrix[1][2]], [null, null, null]);
    const unknown = { correlation: null, low: null, high: null, reason: 'one of the two does not vary' };
    assert.deepEqual(pairs[0], { first: 'A', second: 'FLAT', ...unknown });
    assert.equal(average, matrix[0][2]);
    assert.equal(least!.second, 'B');
    const still = run(pairsOf({ FLAT: flat, OTHER: flat }));
    assert.deepEqual([still.average, still.least, still.most], [null, null, null]);
  });

  it('gives the same at any price level', () => {
    const scaled = (factor: number) => ({
      ...daily(1),
      close: daily(1).close.map((price) => price * factor),
    });
    const [tiny, large] = [1e-10, 1e8].map((factor) => run(pairsOf({ A: scaled(factor), B: daily(2) })));
    assertClose(tiny.average, large.average, 'average');
  });

  it('uses what there is where history is shorter than the window, down to 20 returns', () => {
    const few = (count: number) => pairsOf({ A: daily(1, count), B: daily(2, count), C: daily(3) });
    assert.equal(run(few(21)).count, 20);
    assert.throws(() => run(few(20)), {
      code: 'not_enough_history',
      message: 'expected 21 common candles of A, B, C, found 20; "A" has the fewest candles',
      details: { needed: 21, found: 20, asset: 'A' },
    });
    assert.throws(() => run(few(0)), { details: { needed: 21, found: 0, asset: 'A' } });
  });

  it('says which assets ended before the others', () => {
    const { staleAssets, to } = run(pairsOf({ A: daily(1, 150), B: daily(2, 200) }));
    assert.deepEqual(staleAssets, ['A']);
    assert.equal(to, daily(1, 150).time[149] + dayMs);
  });

  it('refuses one asset, sixteen, and one named twice', () => {
    const many = (count: number) =>
      pairsOf(Object.fromEntries(Array.from({ length: count }, (_, n) => [`A${n}`, daily(n)])));
    const refused = (message: string) => ({ code: 'invalid_input', message, details: { field: 'assets' } });
    assert.throws(() => run(many(1)), refused('expected 2 to 15 assets, found 1'));
    assert.throws(() => run(many(16)), refused('expected 2 to 15 assets, found 16'));
    assert.throws(() => run([...many(2), ...many(1)]), refused('the asset "A0" is named twice'));
    assert.equal(run(many(15)).pairs.length, 105);
  });
});

describeWithSharedData('correlation-matrix on real candles', () => {
  it('equals the reference', () => {
    const { group } = sharedJson('reference/risk.json') as {
      group: { members: string[]; returns: number; correlation: Record<string, Record<string, number>> };
    };
    const names = group.members.map((member) => member.replace('-1d', ''));
    const { matrix, count } = run(
      pairsOf(Object.fromEntries(names.map((name) => [name, sharedCandles(name, '1d')]))),
      5_000,
    );
    assert.equal(count, group.returns);
    group.members.forEach((a, i) =>
      group.members.forEach((b, j) =>
        assert.ok(Math.abs(matrix[i][j]! - group.correlation[a][b]) < 1e-11, `${a} ${b}`),
      ),
    );
  });
});
