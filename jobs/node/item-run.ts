import { AppError } from '../../compute/model/errors.js';
import type { Span } from '../../storage/process/tracing.js';
import type { ReplyAddress } from '../requests/result-store.js';
import {
  itemId,
  type BatchPosition,
  type JobProgress,
  type RequestItem,
  type Timings,
} from '../requests/wire.js';

export interface ItemRunOptions {
  item: RequestItem;
  batch: string;
  index: number;
  /** The channel of the gateway that sent the batch. */
  channel: string;
  /** How many nodes have started the batch, this one included. */
  starts: number;
  /** The span of the run, where it is traced. */
  span: Span | undefined;
  /** Whether the item was requested of another engine, of which no node is alive. */
  isForeign: boolean;
}

/** The run of one item of a batch on this node. */
export class ItemRun {
  readonly item: RequestItem;
  readonly starts: number;
  readonly span: Span | undefined;
  /** The id under which the result is claimed and kept: that of the item for the engine of this node. */
  readonly resultId: string;
  /** Where the result goes. */
  readonly address: ReplyAddress;
  /** Whether a request wants progress. */
  wantsProgress: boolean;
  /** How often this node has run the job for it. */
  tries = 0;
  /** What the job last told of its progress. */
  progress: JobProgress | null = null;
  readonly timings: Timings = {};
  readonly #started = performance.now();
  readonly #end = new AbortController();

  constructor({ item, batch, index, channel, starts, span, isForeign }: ItemRunOptions) {
    this.item = item;
    this.starts = starts;
    this.span = span;
    this.wantsProgress = item.isListenedTo ?? false;
    this.resultId = isForeign ? itemId(item.name, item.payload) : item.id;
    const position: BatchPosition = { batch, index };
    if (span) position.trace = span.context;
    if (isForeign) position.foreign = true;
    this.address = { channel, position };
  }

  /** Names the item on the channel of cancelled items. */
  get key(): string {
    return positionKey(this.address.position);
  }

  /** Aborted with an AppError when the run is to end. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** How long it has run, in ms. */
  get ms(): number {
    return performance.now() - this.#started;
  }

  /** Ends the run: no request waits for its result. */
  cancel(): void {
    this.end(new AppError('cancelled', `"${this.item.name}" was cancelled`));
  }

  end(error: AppError): void {
    this.#end.abort(error);
  }
}

/** The name of an item of a batch: `<batch> <index>`. */
export const positionKey = ({ batch, index }: Pick<BatchPosition, 'batch' | 'index'>): string =>
  `${batch} ${index}`;
