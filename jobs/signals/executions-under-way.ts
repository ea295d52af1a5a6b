import type { Log } from '../../storage/process/log.js';
import type { DueList, DueRow } from '../durable/due-list.js';
import type { WakeQueue } from '../durable/wake-queue.js';

export interface UnderWayTools {
  due: Pick<DueList, 'add'>;
  queue: Pick<WakeQueue, 'wake'>;
  log: Pick<Log, 'error'>;
}

/** How long (ms) a job waits for an execution whose exchange has not answered. */
const mostWaitMs = 1_000;

/**
 * Executions on real exchanges that are being advanced in this process. A job does not wait long for one of them, so that its slot goes
 * on for the others: what an execution still has to do is woken when it has ended.
 */
export class ExecutionsUnderWay {
  readonly #tools: UnderWayTools;
  readonly #running = new Map<string, Promise<unknown>>();
  /** Those that became due again meanwhile. */
  readonly #again = new Set<string>();

  constructor(tools: UnderWayTools) {
    this.#tools = tools;
  }

  /** Whether a worker of this process has the execution, which writes what the exchange answers. */
  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** Advances an execution unless it is under way. Answers whether it is due again, as far as is known within a second. */
  async run({ id, partnerId, slot }: DueRow, advance: () => Promise<boolean>): Promise<boolean> {
    if (this.#running.has(id)) {
      this.#again.add(id);
      return false;
    }
    let isLate = false;
    const running = advance()
      .finally(() => this.#running.delete(id))
      .then(async (isMore) => {
        if (!this.#again.delete(id) && !(isLate && isMore)) return isMore;
        await this.#tools.due.add([{ id, partnerId, slot }]);
        await this.#tools.queue.wake([{ partnerId, slot, work: 'advance' }]);
        return false;
      })
      .catch((error: unknown) => {
        this.#again.delete(id);
        if (!isLate) throw error;
        // It stays due, and the sweeper wakes it.
        this.#tools.log.error({ partnerId, slot, err: error }, 'signal work failed; it is tried again');
        return false;
      });
    this.#running.set(id, running);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(!(isLate = true)), mostWaitMs);
    });
    return Promise.race([running, late]).finally(() => clearTimeout(timer));
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
