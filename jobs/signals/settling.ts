import type { PaperSettler } from '../../storage/exchanges/paper/paper-settler.js';
import type { Log } from '../../storage/process/log.js';
import { RepeatedWork } from '../../storage/process/repeated-work.js';

const everyMs = 1_000;

/** Books trades of the paper exchange in the accounts of users, every second. Several processes may do so at once. */
export class Settling {
  readonly #work: RepeatedWork;

  constructor(settler: Pick<PaperSettler, 'settle'>, log: Pick<Log, 'warn'>) {
    const settleAll = async (signal: AbortSignal) => {
      while (!signal.aborted && (await settler.settle()) > 0);
    };
    this.#work = new RepeatedWork(settleAll, everyMs, (err) => log.warn({ err }, 'paper trades not booked'));
  }

  close(): Promise<void> {
    return this.#work.close();
  }
}
