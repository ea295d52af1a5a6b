import { request, type IncomingMessage } from 'node:http';
import type { Envelope } from '../../../gateway/answers/envelope.js';
import { ownClock } from '../process/own-clock.js';

/** An event of a stream, and when it came, in ms by the clock of this process, in which the gateway is. */
export interface ReceivedEvent {
  name: string;
  // Tests look into events of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  at: number;
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
  /** Resolves at the end of the answer; `whole` says whether it was ended properly. */
  ended: Promise<{ whole: boolean }>;
  /** Closes the connection. */
  leave: () => void;
}

export interface EventQuestion {
  url: string;
  body: unknown;
  headers?: Record<string, string>;
}

/** Asks with POST for server-sent events. Resolves when the headers have come. */
export function askForEvents({ url, body, headers = {} }: EventQuestion): Promise<EventAnswer> {
  const sentHeaders = { Accept: 'text/event-stream', 'Content-Type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent: false, headers: sentHeaders }, (answer) =>
      resolve(readEvents(answer, () => asked.destroy())),
    );
    asked.on('error', reject);
    asked.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

function readEvents(answer: IncomingMessage, leave: () => void): EventAnswer {
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  const passedMs = ownClock();
  let [text, rest] = ['', ''];
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    text += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (name) events.push({ name, data: JSON.parse(data) as unknown, at: passedMs() });
      else comments.push(block);
    }
  });
  const ended = new Promise<{ whole: boolean }>((resolve) => {
    answer.on('error', () => undefined);
    answer.on('close', () => resolve({ whole: answer.complete }));
  });
  const { statusCode: status = 0, headers } = answer;
  return { status, headers, events, comments, text: () => text, ended, leave };
}
