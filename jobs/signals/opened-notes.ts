import type { Log } from '../../storage/process/log.js';
import type { ExecutionRepository, OpenedOrder } from '../../storage/signals/executions.js';
import { inChunks } from '../../compute/model/in-chunks.js';

export interface OpenedNotesTools {
  executions: Pick<ExecutionRepository, 'noteOpened' | 'wake'>;
  log: Pick<Log, 'warn'>;
}

/** Notes are written when none was added for this time, so that waiting orders go to the exchange first. */
const quietMs = 300;
/** Notes are written after this time in any case: before the executions are due again. */
const longestMs = 10_000;
const writtenAtOnce = 50;

/**
 * Collects notes that the exchange has accepted orders, and writes them together. Nothing depends on a note: an execution
 * without it is due again within seconds, and the exchange then answers with the order that stands.
 */
export class OpenedNotes {
  readonly #tools: OpenedNotesTools;
  #held = new Map<string, { opened: OpenedOrder; ids: string[] }>();
  /** The executions whose notes are held or being written. */
  readonly #ids = new Set<string>();
  #heldSince: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | null = null;

  constructor(tools: OpenedNotesTools) {
    this.#tools = tools;
  }

  /** Whether a note of an execution is not written yet. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Adds a note, which is written soon. */
  hold(id: string, opened: OpenedOrder): void {
    this.#ids.add(id);
    const key = JSON.stringify(opened);
    const group = this.#held.get(key);
    if (group) group.ids.push(id);
    else this.#held.set(key, { opened, ids: [id] });
    this.#heldSince ??= Date.now();
    clearTimeout(this.#timer);
    const inMs = Math.min(quietMs, this.#heldSince + longestMs - Date.now());
    this.#timer = setTimeout(() => this.#next(), Math.max(0, inMs));
  }

  /** Resolves when all notes are written. */
  async close(): Promise<void> {
    this.#next();
    while (this.#writing) await this.#writing;
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (this.#writing || this.#held.size === 0) return;
    const groups = [...this.#held.values()];
    this.#held = new Map();
    this.#heldSince = null;
    this.#writing = this.#write(groups)
      .catch((error: unknown) => this.#tools.log.warn({ err: error }, 'placed orders not noted'))
      .finally(() => {
        for (const { ids } of groups) for (const id of ids) this.#ids.delete(id);
        this.#writing = null;
        this.#next();
      });
  }

  async #write(groups: readonly { opened: OpenedOrder; ids: string[] }[]): Promise<void> {
    const { executions } = this.#tools;
    for (const { opened, ids } of groups)
      for (const some of inChunks(ids, writtenAtOnce)) {
        const written = await executions.noteOpened(some, opened, Date.now());
        for (const id of some) this.#ids.delete(id);
        // An execution that has changed meanwhile has to look its order up.
        await executions.wake(
          some.filter((id) => !written.has(id)),
          Date.now(),
        );
      }
  }
}
