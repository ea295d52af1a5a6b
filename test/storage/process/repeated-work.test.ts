import assert from 'node:assert/strict';
import { RepeatedWork } from '../../../storage/process/repeated-work.js';
import { until } from '../../support/process/until.js';

describe('repeated work', () => {
  it('runs at once, and again', async () => {
    let runs = 0;
    const repeated = new RepeatedWork(() => Promise.resolve(void runs++), 1);
    assert.equal(runs, 1);
    await until('a third run', () => runs >= 3);
    await repeated.close();
  });

  it('leaves out the runs that are due while one runs', async () => {
    let [runs, ticks] = [0, 0];
    let end = () => undefined as void;
    const work = () => (runs++, new Promise<void>((resolve) => (end = resolve)));
    const repeated = new RepeatedWork(work, 1);
    const ticking = setInterval(() => ticks++, 1);
    await until('ten intervals', () => ticks >= 10);
    clearInterval(ticking);
    assert.equal(runs, 1);
    end();
    await until('a second run', () => runs === 2);
    const closed = repeated.close();
    end();
    await closed;
  });

  it('tells its work of the end, waits for it, and begins no other', async () => {
    let [runs, ended] = [0, 0];
    const work = async (signal: AbortSignal) => {
      runs++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended++;
    };
    const repeated = new RepeatedWork(work, 1);
    assert.equal(ended, 0);
    await repeated.close();
    assert.deepEqual([runs, ended], [1, 1]);
  });
});
