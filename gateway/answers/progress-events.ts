import type { JobProgress } from '../../jobs/requests/job-client.js';
import type { EventStream } from './event-stream.js';

/** A comment is sent when nothing else was for this time. */
const beatMs = 500;

/** The progress is repeated when it has not changed for this time: with the beat, clients hear of it at least every 2 s. */
const repeatMs = 1_000;

/** The progress of a long answer as events: each change, and the last one again while nothing changes. */
export class ProgressEvents {
  readonly #stream: EventStream;
  #last: JobProgress | null = null;
  #sentAt = 0;
  #beat: NodeJS.Timeout | undefined;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  /** Sends progress. The first one opens the stream. */
  report(progress: JobProgress): void {
    this.begin();
    this.#last = progress;
    this.#send(progress);
  }

  /** Opens the stream, unless it is open, and keeps it alive. */
  begin(): void {
    if (this.#beat) return;
    this.#stream.open();
    this.#beat = setInterval(() => this.#keepAlive(), beatMs).unref();
  }

  /** Reports that everything is done, unless the last progress said so. */
  complete(): void {
    if (this.#last?.fraction !== 1) this.report({ phase: 'done', fraction: 1 });
  }

  close(): void {
    clearInterval(this.#beat);
  }

  #send(progress: JobProgress): void {
    this.#sentAt = performance.now();
    this.#stream.event('progress', progress);
  }

  #keepAlive(): void {
    const silentMs = performance.now() - this.#sentAt;
    if (silentMs >= repeatMs && this.#last) this.#send(this.#last);
    else if (silentMs >= beatMs / 2) this.#stream.comment('alive');
  }
}
