import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import type { Envelope } from '../../../gateway/answers/envelope.js';

/** An event of a stream. */
export interface ReceivedEvent {
  id: string;
  name: string;
  // Tests look into events of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

/** The data of a `result` or `error` event. */
export interface LastEvent {
  status: number;
  retryAfterSeconds?: number;
  body: Envelope & { payload: Record<string, unknown> };
}

/** An answer that is read while it comes: server-sent events, or a plain body. */
export interface EventAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  /** Grows while the answer comes. */
  events: ReceivedEvent[];
  comments: string[];
  /** Everything that has come. */
  text: () => string;
  /** With what the next stream goes on. */
  lastId: () => string;
  /** Resolves at the end of the answer, whoever ended it; `whole` says whether it was ended properly. */
  ended: Promise<{ whole: boolean }>;
  /** Closes the connection. */
  leave: () => void;
  /** Reads nothing any more. */
  pause: () => void;
}

export interface EventQuestion {
  url: string;
  body: unknown;
  headers?: Record<string, string>;
}

/** Asks with POST for server-sent events. Resolves when the headers have come. */
export function askForEvents({ url, body, headers = {} }: EventQuestion): Promise<EventAnswer> {
  const sentHeaders = { Accept: 'text/event-stream', 'Content-Type': 'application/json', ...headers };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return openEvents(url, { method: 'POST', headers: sentHeaders }, text);
}

export interface StreamQuestion {
  topics?: string;
  token?: string | null;
  lastId?: string | undefined;
  /** The address of this machine from which it is opened: each is a network of its own to the gateway. */
  from?: string;
}

/** Opens a live stream and resolves when its headers have come. */
export function openStreamAt(
  url: string,
  { topics = 'flips,candles', token = null, lastId, from }: StreamQuestion = {},
): Promise<EventAnswer> {
  const headers = {
    ...(token === null ? {} : { 'session-token': token }),
    ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
  };
  const options = { headers, ...(from === undefined ? {} : { localAddress: from }) };
  return openEvents(`${url}/backend/stream?topics=${topics}`, options);
}

const openEvents = (url: string, options: RequestOptions, body?: string): Promise<EventAnswer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, ...options }, (answer) =>
      resolve(readEvents(answer, () => asked.destroy())),
    );
    asked.on('error', reject);
    asked.end(body);
  });

function readEvents(answer: IncomingMessage, leave: () => void): EventAnswer {
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  let [text, rest, lastId] = ['', '', ''];
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    text += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const [id = '', name] = [field('id'), field('event')];
      if (id !== '') lastId = id;
      if (name) events.push({ id, name, data: JSON.parse(field('data')!) as unknown });
      else comments.push(block);
    }
  });
  const ended = new Promise<{ whole: boolean }>((resolve) => {
    answer.on('error', () => undefined);
    answer.on('close', () => resolve({ whole: answer.complete }));
  });
  const { statusCode: status = 0, headers } = answer;
  const pause = () => void answer.pause();
  return { status, headers, events, comments, text: () => text, lastId: () => lastId, ended, leave, pause };
}
