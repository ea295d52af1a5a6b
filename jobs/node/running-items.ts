import type { RunningJob } from '../../storage/cluster/nodes.js';
import type { ItemRun } from './item-run.js';

/** Jobs that end at once are not reported: an operator could neither read nor cancel them. */
const reportedFromMs = 500;
const reportedCount = 20;

/**
 * The runs of a node, by position in their batch and by item id. A position may have several runs: BullMQ gives a batch to
 * another node when this one does not answer, and it may come back.
 */
export class RunningItems {
  readonly #byKey = new Map<string, Set<ItemRun>>();
  readonly #byId = new Map<string, Set<ItemRun>>();

  /** How many items run. */
  get size(): number {
    let size = 0;
    for (const runs of this.#byKey.values()) size += runs.size;
    return size;
  }

  /** The items that have run longest, for operators. */
  report(): RunningJob[] {
    return [...this.#byKey.values()]
      .flatMap((runs) => [...runs])
      .filter(({ ms }) => ms >= reportedFromMs)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, reportedCount)
      .map(({ key: id, item: { name, traceId }, ms, progress }) => ({
        id,
        name,
        traceId,
        ms: Math.round(ms),
        phase: progress?.phase ?? null,
        fraction: progress?.fraction ?? null,
      }));
  }

  add(run: ItemRun): void {
    addTo(this.#byKey, run.key, run);
    for (const id of idsOf(run)) addTo(this.#byId, id, run);
  }

  remove(run: ItemRun): void {
    removeFrom(this.#byKey, run.key, run);
    for (const id of idsOf(run)) removeFrom(this.#byId, id, run);
  }

  /** Cancels the item at a position, given as `<batch> <index>`. */
  cancel(key: string): void {
    for (const run of this.#byKey.get(key) ?? []) run.cancel();
  }

  /** From now on the item with this id reports its progress. */
  wantProgress(id: string): void {
    for (const run of this.#byId.get(id) ?? []) run.wantsProgress = true;
  }
}

/** The id that its gateway knows, and the one under which others wait for its result. */
const idsOf = ({ item, resultId }: ItemRun) => new Set([item.id, resultId]);

function addTo(map: Map<string, Set<ItemRun>>, key: string, run: ItemRun): void {
  const runs = map.get(key);
  if (runs) runs.add(run);
  else map.set(key, new Set([run]));
}

function removeFrom(map: Map<string, Set<ItemRun>>, key: string, run: ItemRun): void {
  const runs = map.get(key);
  runs?.delete(run);
  if (runs?.size === 0) map.delete(key);
}
