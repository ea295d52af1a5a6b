import { AppError } from '../../compute/model/errors.js';
import type { RequestItem, BatchPosition } from '../requests/wire.js';

/** An item that runs on this node: what ends it, and whether somebody hears how far it has come. */
export interface RunningItem {
  readonly id: string;
  readonly name: string;
  readonly end: AbortController;
  isListenedTo: boolean;
}

/**
 * What runs on a node, to be found by those who cancel and those who listen. The same place may run twice: a batch that
 * was taken from this node while it could not answer may come back to it.
 */
export class RunningItems {
  readonly #byPlace = new Map<string, Set<RunningItem>>();
  readonly #byId = new Map<string, Set<RunningItem>>();

  start(place: BatchPosition, { id, name, isListenedTo = false }: RequestItem): RunningItem {
    const running = { id, name, end: new AbortController(), isListenedTo };
    add(this.#byPlace, nameOf(place), running);
    add(this.#byId, id, running);
    return running;
  }

  /** How many there are. */
  get size(): number {
    let size = 0;
    for (const there of this.#byPlace.values()) size += there.size;
    return size;
  }

  stop(place: BatchPosition, running: RunningItem): void {
    remove(this.#byPlace, nameOf(place), running);
    remove(this.#byId, running.id, running);
  }

  /** Ends what runs at a place, given as `<batch> <index>`. */
  cancel(place: string): void {
    for (const { end, name } of this.#byPlace.get(place) ?? [])
      end.abort(new AppError('cancelled', `"${name}" was cancelled`));
  }

  /** From now on somebody listens to the item of that id. */
  listen(id: string): void {
    for (const running of this.#byId.get(id) ?? []) running.isListenedTo = true;
  }
}

/** How a place is called on the channel of cancels. */
export const nameOf = ({ batch, index }: BatchPosition): string => `${batch} ${index}`;

function add(map: Map<string, Set<RunningItem>>, key: string, running: RunningItem): void {
  const there = map.get(key);
  if (there) there.add(running);
  else map.set(key, new Set([running]));
}

function remove(map: Map<string, Set<RunningItem>>, key: string, running: RunningItem): void {
  const there = map.get(key);
  there?.delete(running);
  if (there?.size === 0) map.delete(key);
}
