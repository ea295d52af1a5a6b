import type { Log } from '../../storage/process/log.js';
import type { PartnerSlot } from '../../storage/signals/stored-execution.js';
import type { DueList, DueRow } from '../durable/due-list.js';
import type { WakeQueue } from '../durable/wake-queue.js';

export interface UnderWayTools {
  due: Pick<DueList, 'add'>;
  queue: Pick<WakeQueue, 'wake'>;
  log: Pick<Log, 'error'>;
}

/** How long (ms) a job waits for an account whose exchange has not answered. */
const mostWaitMs = 1_000;

/**
 * Accounts of real exchanges whose executions are being advanced in this process, one at a time for each account. A job does not wait
 * long for one of them, so that its slot goes on for the others: what an account still has to do is woken when it has ended.
 */
export class AccountsUnderWay {
  readonly #tools: UnderWayTools;
  readonly #running = new Map<string, Promise<unknown>>();
  /** Rows that became due while their account was being advanced. */
  readonly #left = new Map<string, DueRow[]>();

  constructor(tools: UnderWayTools) {
    this.#tools = tools;
  }

  /** Advances rows of an account in a slot. Answers whether more are due, as far as is known within a second. */
  async run(
    { account, slot }: { account: string; slot: PartnerSlot },
    rows: readonly DueRow[],
    advance: () => Promise<boolean>,
  ): Promise<boolean> {
    if (this.#running.has(account)) {
      this.#left.set(account, [...(this.#left.get(account) ?? []), ...rows]);
      return false;
    }
    let isLate = false;
    const running = advance().then(
      async (isMore) => {
        this.#running.delete(account);
        await this.#wakeLeft(account, isLate && isMore ? slot : null);
        return isMore;
      },
      (error: unknown) => {
        this.#running.delete(account);
        this.#left.delete(account);
        if (!isLate) throw error;
        // Its rows stay due, and the sweeper wakes them.
        this.#tools.log.error({ ...slot, err: error }, 'signal work failed; it is tried again');
        return false;
      },
    );
    this.#running.set(account, running);
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

  async #wakeLeft(account: string, own: PartnerSlot | null): Promise<void> {
    const rows = this.#left.get(account) ?? [];
    this.#left.delete(account);
    await this.#tools.due.add(rows);
    const slots = [...rows, ...(own ? [own] : [])];
    await this.#tools.queue.wake(
      slots.map(({ partnerId, slot }) => ({ partnerId, slot, work: 'advance' as const })),
    );
  }
}
