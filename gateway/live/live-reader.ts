import type { ServerResponse } from 'node:http';
import { compareLiveIds, type LivePast, type ToldEvent } from '../../storage/live/live-past.js';
import { userTarget } from '../../storage/live/live-events.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';

/** What can be read, by topic: the names of its events. */
export const liveTopics = {
  prices: ['prices'],
  flips: ['flip'],
  candles: ['candle'],
  positions: ['position'],
  signals: ['signal', 'order'],
  cluster: ['cluster'],
} as const satisfies Record<string, readonly string[]>;

export type LiveTopic = keyof typeof liveTopics;

export const liveTopicNames = Object.keys(liveTopics) as LiveTopic[];

/** Topics whose events are those of one user, and told under the user's name. */
export const ownTopics: ReadonlySet<LiveTopic> = new Set(['positions', 'signals']);

/** A reader with more unread bytes than this is dropped: it comes back, and reads the missed events. */
const mostUnreadBytes = 64 * 1024;

/** Readers whose stream ends at the same moment come back within this time, not all at once. */
const spreadMs = 10_000;

export interface ReaderOptions {
  topics: readonly LiveTopic[];
  user: SignedIn | null;
  network: string;
  endsAtMs: number;
  /** Called once, when nothing more can be sent. */
  onEnd: (reader: LiveReader) => void;
}

/** One open stream: what its reader hears of, and how far it has. */
export class LiveReader {
  readonly options: ReaderOptions;
  /** Topics and users whose events it hears of. */
  readonly targets: readonly string[];
  readonly #names: ReadonlySet<string>;
  #response: ServerResponse | null = null;
  /** What was sent before the response is there. */
  #waiting: string[] = [];
  /** The latest id that it has heard of; null until that is known: then events are held back. */
  #id: string | null = null;
  #held: ToldEvent[] = [];
  #hasEnded = false;

  constructor(options: ReaderOptions) {
    this.options = options;
    const { topics, user } = options;
    const own = topics.some((topic) => ownTopics.has(topic)) && user ? [userTarget(user.userId)] : [];
    this.targets = [...topics.filter((topic) => !ownTopics.has(topic)), ...own];
    this.#names = new Set(topics.flatMap((topic) => [...liveTopics[topic]]));
  }

  /** Sends what it has missed, and from then on what is told. */
  begin({ id, events, lost }: LivePast): void {
    this.reset(lost);
    this.#id = '0-0';
    for (const event of events) this.tell(event, eventText(event));
    this.#id = id;
    this.send(`id: ${id}\n\n`);
    for (const event of this.#held) this.tell(event, eventText(event));
    this.#held = [];
  }

  /** Says which topics have to be read again, because events of them are lost. */
  reset(targets: readonly string[]): void {
    const own = targets.some((target) => target.startsWith('user:'));
    for (const topic of this.options.topics)
      if (targets.includes(topic) || (own && ownTopics.has(topic))) this.send(plainEvent('reset', { topic }));
  }

  /** Sends an event that it has not heard of yet; `text` is the event as `eventText` makes it. */
  tell(event: ToldEvent, text: string): void {
    if (this.#id === null) return void this.#held.push(event);
    if (compareLiveIds(event.id, this.#id) <= 0) return;
    this.#id = event.id;
    if (this.#names.has(event.name)) this.send(text);
  }

  /** Says that the stream is alive, and from where its reader can come back, however long ago its own last event was. */
  showAlive(id: string): void {
    if (this.#id === null) return;
    if (compareLiveIds(id, this.#id) > 0) this.#id = id;
    this.send(`: alive\nid: ${this.#id}\n\n`);
  }

  send(text: string): void {
    const response = this.#response;
    if (this.#hasEnded) return;
    if (!response) return void this.#waiting.push(text);
    // A write to a closed response would be an error that ends the process.
    if (response.closed || response.destroyed || response.writableEnded) return;
    response.write(text);
    if (response.writableLength > mostUnreadBytes) response.destroy();
  }

  /** From here on everything goes to the response, whose headers are set. */
  attach(response: ServerResponse): void {
    this.#response = response;
    response.once('close', () => this.#end());
    if (response.closed) return this.#end();
    const text = this.#waiting.join('');
    this.#waiting = [];
    response.flushHeaders();
    response.write(text);
    if (this.#hasEnded) response.end();
  }

  /** Ends the stream; its reader is to come back. */
  leave(): void {
    this.send(`retry: ${Math.round(1_000 + Math.random() * spreadMs)}\n\n`);
    this.#end();
  }

  /** Ends the stream for good. */
  close(reason: string): void {
    this.send(plainEvent('closed', { reason }));
    this.#end();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#response?.end();
    this.options.onEnd(this);
  }
}

export const plainEvent = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export const eventText = ({ id, name, data }: ToldEvent): string =>
  `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
