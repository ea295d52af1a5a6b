import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parserRefusal, type ParserError, type Refusal } from '../answers/refusal.js';
import { ArrivingHead } from './arriving-head.js';
import { closeSlowly, discardInput } from './close-slowly.js';
import { onParsed } from './on-parsed.js';

/** Requests that may wait behind the one that is being answered. */
const mostWaiting = 100;

/** Answers one request. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  answer: Answerer;
  hasBegun: boolean;
}

export interface ConnectionEvents {
  /** A request is being answered. */
  busy: () => void;
  /** All requests are answered. */
  idle: () => void;
  /** A request can be answered; `begin` does it, now or later. */
  ready: (request: IncomingMessage, begin: () => void) => void;
}

/**
 * One connection of a client. Its requests are answered one after the other: a client that sends many at once (pipelining)
 * takes no more of the service than one that waits for each answer, and answers go out in the order of their requests.
 */
export class ClientConnection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #head = new ArrivingHead();
  readonly #waiting: Exchange[] = [];
  #current: Exchange | null = null;
  /** The answer to bytes that are not HTTP; sent after all others. */
  #refusal: Refusal | null = null;
  /** What the client sends from now on is not read. */
  #isEnding = false;
  /** How many bytes of the answers the system had taken, and how many checks have found no more since. */
  #taken = { bytes: 0, checks: 0 };

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    onParsed(socket, (size, packet) => this.#head.note(size, packet));
    const closeAtOnce = socket.destroySoon.bind(socket);
    // Node's HTTP server calls `destroySoon` after the last answer of a connection.
    socket.destroySoon = () => {
      const isRead = this.#current?.request.complete !== false && this.#waiting.length === 0;
      if (isRead && !this.#isEnding) return closeAtOnce();
      this.#isEnding = true;
      this.#refusal = null;
      closeSlowly(socket);
    };
  }

  /** Answers the request when all earlier ones are answered. */
  take(request: IncomingMessage, response: ServerResponse, answer: Answerer): void {
    if (this.#isEnding) return;
    this.#head.begin(request);
    const exchange = { request, response, answer, hasBegun: false };
    if (this.#current === null && this.#waiting.length === 0) this.#start(exchange);
    else if (this.#waiting.length < mostWaiting) this.#waiting.push(exchange);
    else this.#stopReading();
  }

  /** Refuses bytes that are not HTTP, or do not arrive in time. */
  refuseBytes(error: ParserError): void {
    this.refuse(parserRefusal(error, this.#head.path(error)));
  }

  /**
   * Ends the connection because of bytes that are no request: the refusal is sent after the answers to earlier requests, or as
   * the answer to the request that these bytes belong to.
   */
  refuse(refusal: Refusal): void {
    if (this.#isEnding) return;
    this.#stopReading();
    const newest = this.#waiting.at(-1) ?? this.#current;
    if (newest === null) return closeSlowly(this.#socket, refusal.message());
    if (newest.request.complete) {
      this.#refusal = refusal;
    } else if (newest === this.#current) {
      this.#begin(newest);
      refusal.send(newest.response);
    } else {
      this.#waiting.pop();
      this.#refusal = refusal;
    }
  }

  /**
   * Closes the connection if an answer waits to be read and the client has read nothing for this many checks, one after the
   * other. They are counted, because a time would hold a pause of this process against the client.
   */
  closeIfUnread(checks: number): void {
    const bytes = takenBytes(this.#socket);
    const isMoving = this.#socket.writableLength === 0 || bytes !== this.#taken.bytes;
    this.#taken = { bytes, checks: isMoving ? 0 : this.#taken.checks + 1 };
    // A reset drops the bytes that the client does not read; otherwise the system would keep them for minutes.
    if (this.#taken.checks >= checks) this.#socket.resetAndDestroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  #start(exchange: Exchange): void {
    const { request, response } = exchange;
    this.#current = exchange;
    this.#events.busy();
    // Too many requests have come, and the rest was dropped: after this answer the client sends it on another connection.
    if (this.#isEnding && this.#waiting.length === 0 && this.#refusal === null)
      response.shouldKeepAlive = false;
    response.once('close', () => this.#answered());
    this.#events.ready(request, () => this.#begin(exchange));
  }

  /** Answers the current request, unless it has begun already or the client has disconnected. */
  #begin(exchange: Exchange): void {
    if (exchange !== this.#current || exchange.hasBegun) return;
    exchange.hasBegun = true;
    exchange.answer(exchange.request, exchange.response);
  }

  #answered(): void {
    this.#current = null;
    if (this.#socket.destroyed || this.#socket.writableEnded) return this.#events.idle();
    const next = this.#waiting.shift();
    if (next) return this.#start(next);
    if (this.#isEnding) closeSlowly(this.#socket, this.#refusal?.message());
    this.#events.idle();
  }

  #stopReading(): void {
    this.#isEnding = true;
    discardInput(this.#socket);
  }
}

/** The counters of a socket's handle, which Node's own write timeout uses. */
interface WriteCounters {
  bytesWritten: number;
  writeQueueSize: number;
}

/**
 * The bytes that the system has taken from a socket to send. The socket itself counts only whole writes, and an answer is one
 * write. Its handle knows how much of a write is left.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: Partial<WriteCounters> | null };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize;
}
