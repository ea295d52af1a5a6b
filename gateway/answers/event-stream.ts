import type { ServerResponse } from 'node:http';
import { roundFigures } from '../../compute/model/round-figures.js';
import type { JobProgress } from '../../jobs/requests/job-client.js';

/** A client that has not taken the last event after this time is disconnected. */
const defaultLastEventMs = 30_000;

/** Sends server-sent events (WHATWG HTML, 9.2) as the body of a response whose headers are set. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #lastEventMs: number;

  constructor(response: ServerResponse, lastEventMs = defaultLastEventMs) {
    this.#response = response;
    this.#lastEventMs = lastEventMs;
  }

  /** Whether the headers have been sent. */
  get isOpen(): boolean {
    return this.#response.headersSent;
  }

  /** Sends the headers. */
  open(): void {
    if (!this.#isOver) this.#response.flushHeaders();
  }

  /** Sends a comment, which clients ignore; it shows proxies and clients that the connection is alive. */
  comment(text: string): void {
    this.#write(`: ${text}\n\n`);
  }

  /** Sends an event. It is dropped while the client reads too slowly, so that nothing piles up for it, and after the last event. */
  event(name: string, data: object): void {
    this.#write(encode(name, data));
  }

  /** Sends the last event, whose data may be JSON already, and ends the response. A client that does not read it is disconnected after a while. */
  end(name: string, data: object | string): void {
    if (this.#isOver) return;
    const timer = setTimeout(() => this.#response.destroy(), this.#lastEventMs).unref();
    this.#response.once('close', () => clearTimeout(timer));
    this.#response.end(encode(name, data));
  }

  #write(text: string): void {
    if (!this.#isOver && !this.#response.writableNeedDrain) this.#response.write(text);
  }

  /** Whether nothing more can be sent. A write after the end would be an error that ends the process. */
  get #isOver(): boolean {
    return this.#response.writableEnded || this.#response.closed || this.#response.destroyed;
  }
}

/** An event on two lines: JSON has no line breaks. */
const encode = (name: string, data: object | string): string =>
  `event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(roundFigures(data))}\n\n`;

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
