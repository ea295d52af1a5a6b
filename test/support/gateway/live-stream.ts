import { request } from 'node:http';

/** A live stream as a client reads it. */
export interface OpenStream {
  status: number;
  /** Grows while the stream is open. */
  // Tests look into events of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  events: { id: string; name: string; data: any }[];
  /** With what the next stream goes on. */
  lastId: () => string;
  /** Resolves when the stream has ended, whoever ended it. */
  ended: Promise<void>;
  leave: () => void;
  /** Reads nothing any more. */
  pause: () => void;
}

export interface StreamQuestion {
  topics?: string;
  token?: string | null;
  lastId?: string | undefined;
  /** The address of this machine from which it is opened: each is a network of its own to the gateway. */
  from?: string;
}

/** Opens a stream and resolves when its headers have come. */
export function openStreamAt(
  url: string,
  { topics = 'flips,candles', token = null, lastId, from }: StreamQuestion = {},
): Promise<OpenStream> {
  const headers = {
    ...(token === null ? {} : { 'session-token': token }),
    ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
  };
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers, ...(from === undefined ? {} : { localAddress: from }) };
    const asked = request(`${url}/backend/stream?topics=${topics}`, options, (answer) => {
      const events: OpenStream['events'] = [];
      let [rest, lastEventId] = ['', ''];
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop()!;
        for (const block of blocks) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
          const id = field('id') ?? '';
          if (id !== '') lastEventId = id;
          const name = field('event');
          if (name) events.push({ id, name, data: JSON.parse(field('data')!) as unknown });
        }
      });
      answer.on('error', () => undefined);
      const ended = new Promise<void>((end) => answer.on('close', end));
      const pause = () => void answer.pause();
      const leave = () => void asked.destroy();
      resolve({ status: answer.statusCode ?? 0, events, lastId: () => lastEventId, ended, leave, pause });
    });
    asked.on('error', reject);
    asked.end();
  });
}
