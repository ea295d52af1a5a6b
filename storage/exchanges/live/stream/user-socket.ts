import { WebSocket } from 'ws';
import { AppError } from '../../../../compute/model/errors.js';
import type { AccountNews, StreamReply, StreamTicket, VenueUserStream } from '../../venue-user-stream.js';
import { exchangeRefused } from '../../venue-answers.js';

const defaultAnswerMs = 10_000;
/** How often a message is sent to keep the connection alive. It ends when nothing has come since the second last of them. */
const keepAliveMs = 10_000;
const longestMessage = 1_048_576;
/** A connection that receives more messages of unknown kinds is closed. */
const mostOdd = 100;

export type NewsListener = (news: AccountNews) => void;

export interface UserSocketOptions {
  url: string;
  stream: VenueUserStream;
  /** Called once, when the connection has ended. */
  onEnd: (reason: string) => void;
  answerMs?: number;
}

interface SocketCall {
  listener: NewsListener;
  settle: (reply: StreamReply) => void;
}

/** One websocket connection that tells of one account or of several. */
export class UserSocket {
  readonly #options: UserSocketOptions;
  readonly #socket: WebSocket;
  readonly #listeners = new Map<string, NewsListener>();
  readonly #calls = new Map<string, SocketCall>();
  readonly #ready: Promise<void>;
  readonly #keepingAlive: NodeJS.Timeout;
  #becomeReady!: () => void;
  #fail!: (error: AppError) => void;
  #lastId = 0;
  #joining = 0;
  #odd = 0;
  #silentTurns = 0;
  #isEnded = false;

  constructor(options: UserSocketOptions) {
    this.#options = options;
    const { url, stream, answerMs = defaultAnswerMs } = options;
    this.#ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#fail = reject;
    });
    this.#ready.catch(() => undefined);
    this.#socket = new WebSocket(url, {
      maxPayload: longestMessage,
      perMessageDeflate: false,
      handshakeTimeout: answerMs,
    });
    this.#socket.on('open', () => {
      if (!stream.hasWelcome) this.#becomeReady();
    });
    this.#socket.on('message', (data: Buffer) => this.#take(String(data)));
    this.#socket.on('pong', () => (this.#silentTurns = 0));
    this.#socket.on('error', (error) => this.end(error.message));
    this.#socket.on('close', () => this.end('the exchange closed the connection'));
    this.#keepingAlive = setInterval(() => this.#keepAlive(), keepAliveMs);
  }

  /** How many accounts it tells of, those included that are about to join. */
  get size(): number {
    return this.#listeners.size + this.#joining;
  }

  /**
   * Requests the news of an account, and answers its subscription. Throws `exchange_refused`, and `exchange_unavailable` when the
   * connection ends.
   */
  async join({ requests }: StreamTicket, listener: NewsListener): Promise<string> {
    this.#joining++;
    try {
      await this.#within(this.#ready);
      let line = '';
      if (requests.length === 0) this.#listeners.set(line, listener);
      for (const request of requests) line = await this.#call(request, listener);
      return line;
    } finally {
      this.#joining--;
      if (this.size === 0) this.end('it is not needed any more');
    }
  }

  /** Ends the news of an account; without others the connection. */
  leave(line: string): void {
    if (this.#isEnded) return;
    this.#listeners.delete(line);
    const { stream } = this.#options;
    if (this.size === 0 || !stream.leave) return this.end('it is not needed any more');
    this.#send(stream.leave(String(++this.#lastId), line));
  }

  end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#keepingAlive);
    const error = new AppError('exchange_unavailable', reason);
    this.#fail(error);
    for (const { settle } of this.#calls.values()) settle({ refused: reason });
    // Its close event, if it comes, finds that it has ended.
    this.#socket.terminate();
    this.#options.onEnd(reason);
  }

  async #call(request: (id: string) => object, listener: NewsListener): Promise<string> {
    const id = String(++this.#lastId);
    const answered = new Promise<StreamReply>((settle) => this.#calls.set(id, { listener, settle }));
    try {
      this.#send(request(id));
      const { refused, line = '' } = await this.#within(answered);
      if (refused === undefined) return line;
      if (this.#isEnded) throw new AppError('exchange_unavailable', refused);
      throw exchangeRefused(`the exchange streams nothing of the account: ${refused}`);
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Ends the connection if the exchange does not answer. */
  async #within<T>(answer: Promise<T>): Promise<T> {
    const { answerMs = defaultAnswerMs } = this.#options;
    const late = setTimeout(() => this.end('the exchange did not answer in time'), answerMs);
    return answer.finally(() => clearTimeout(late));
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message), (error) => error && this.end(error.message));
  }

  #keepAlive(): void {
    if (this.#silentTurns++ >= 2) return this.end('nothing has come for too long');
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const { ping } = this.#options.stream;
    if (ping) this.#send(ping(String(++this.#lastId)));
    else this.#socket.ping();
  }

  #take(text: string): void {
    if (this.#isEnded) return;
    this.#silentTurns = 0;
    const read = this.#read(text);
    if (read === null) {
      if (++this.#odd > mostOdd) this.end('the exchange sent messages that were not asked for');
    } else if (read === 'welcome') this.#becomeReady();
    else if (read !== 'upkeep') {
      if ('reply' in read) this.#takeReply(read.reply);
      else this.#listeners.get(read.news.line ?? '')?.(read.news);
    }
  }

  #read(text: string) {
    try {
      const message: unknown = JSON.parse(text);
      return typeof message === 'object' && message !== null ? this.#options.stream.read(message) : null;
    } catch {
      return null;
    }
  }

  /** The listener is there before the next message is read. */
  #takeReply(reply: StreamReply): void {
    const call = reply.id === undefined ? [...this.#calls.values()].at(-1) : this.#calls.get(reply.id);
    if (!call) return;
    if (reply.refused === undefined) this.#listeners.set(reply.line ?? '', call.listener);
    call.settle(reply);
  }
}
