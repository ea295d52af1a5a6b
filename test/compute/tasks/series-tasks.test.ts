import assert from 'node:assert/strict';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { intervalMs, type Interval } from '../../../compute/model/interval.js';
import { Room } from '../../../compute/model/room.js';
import { demoCandles } from '../../support/demo-candles.js';
import { copyOf, flatCandles, frozenCandles } from '../../support/odd-candles.js';
import { randomCandles } from '../../support/random-candles.js';
import { seriesTasks } from '../../support/series-tasks.js';

/** Fails if any number within is not finite, or something is there that JSON has no word for. */
function assertPlain(data: unknown): void {
  assert.deepEqual(JSON.parse(JSON.stringify(data)), data);
}

function withoutVolume(candles: Candles): Candles {
  candles.volume.fill(0);
  return candles;
}

/** Candles of which every seventh and a whole month are missing. */
function gappyCandles(): Candles {
  const candles = randomCandles(900);
  const days = 24 * 3_600_000;
  for (let i = 0; i < 900; i++) candles.time[i] += (Math.floor(i / 7) + (i > 500 ? 720 : 0)) * (days / 24);
  return candles;
}

const oddities: Record<string, () => Candles> = {
  'prices that never move': () => flatCandles(600),
  'prices that never move, at 0.1': () => flatCandles(600, 0.1),
  'prices that stop moving': () => frozenCandles(600, 300),
  'prices of 1e-8': () => randomCandles(600, { price: 1e-8 }),
  'prices of 1e8': () => randomCandles(600, { price: 1e8 }),
  'no volume at all': () => withoutVolume(randomCandles(600)),
  'neither movement nor volume': () => withoutVolume(flatCandles(600)),
  'gaps in time': gappyCandles,
};

const stills = Object.keys(oddities).filter((what) => /never move|stop moving|neither movement/.test(what));

for (const { name, params, fewest, needsMovement, run } of seriesTasks) {
  describe(`${name} task`, () => {
    const ask = (candles: Candles, interval: Interval = '1h', room?: Room) =>
      run({ candles, interval, params: params as never }, room);

    it(`needs ${fewest} candles, and says so`, () => {
      for (const found of new Set([0, Math.min(1, fewest - 1), fewest - 1])) {
        assert.throws(
          () => ask(randomCandles(found)),
          (error) =>
            error instanceof AppError &&
            error.code === 'not_enough_history' &&
            error.details.needed === fewest &&
            error.details.found === found,
        );
      }
      for (const count of [fewest, fewest + 1, fewest + 30]) assertPlain(ask(randomCandles(count)));
    });

    for (const [what, make] of Object.entries(oddities))
      if (needsMovement && stills.includes(what))
        it(`refuses ${what}`, () => {
          assert.throws(
            () => ask(make()),
            (error) => error instanceof AppError && error.code === 'invalid_input',
          );
        });
      else it(`answers in plain data for ${what}`, () => assertPlain(ask(make())));

    it('gives the same in fresh memory and in used, and keeps none that the next task takes over', () => {
      const [first, second] = [demoCandles('SOL_USDT', '4h'), demoCandles('BTC_USDT', '1h')];
      const expected = ask(first, '4h');
      const room = new Room();
      ask(second, '1h', room);
      room.clear();
      const found = ask(first, '4h', room);
      assert.deepEqual(found, expected);
      room.clear();
      room.column(second.time.length).fill(NaN);
      assert.deepEqual(found, expected);
      assert.deepEqual(structuredClone(found), expected);
    });

    it('leaves the candles as they are', () => {
      const candles = copyOf(sliceCandles(demoCandles('ETH_BTC', '1h'), 0, 2000));
      const before = copyOf(candles);
      ask(candles);
      assert.deepEqual(candles, before);
    });

    it('says when the candle closed on which it stands', () => {
      const candles = demoCandles('ETH_BTC', '1d');
      const reading = ask(candles, '1d') as { asOf: number; price: number };
      assert.equal(reading.asOf, candles.time.at(-1)! + intervalMs('1d'));
      assert.equal(reading.price, candles.close.at(-1));
    });
  });
}
