import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { acceptedSockets } from './accepted-sockets.js';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RawExchange {
  answers: RawAnswer[];
  /** Whether the server ended the connection. */
  closed: boolean;
  /** How much the server has read. */
  readBytes: number;
}

export interface RawOptions {
  /** Stops listening after so many answers; without it the server ends the connection. */
  answers?: number;
  withinMs?: number;
  /** Sends nothing more and half-closes after the last part. */
  end?: boolean;
  /** Each part is a packet of its own: it is sent when the server has read the ones before. */
  apart?: boolean;
  /** Called when the server has read all. */
  onRead?: () => Promise<unknown>;
}

/** Sends bytes as they are, which an HTTP client would put right, and reads what comes back. */
export async function rawExchange(
  url: string,
  parts: (string | Buffer)[],
  { answers: wanted = Infinity, withinMs = 25_000, end = false, apart = false, onRead }: RawOptions = {},
): Promise<RawExchange> {
  const accepted = acceptedSockets();
  const socket = openSocket(url);
  let received = Buffer.alloc(0);
  let server: Socket | undefined;
  let isOver = false;
  const closed = await new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no end within ${withinMs} ms; so far: ${received.toString().slice(0, 300)}`)),
      withinMs,
    );
    const done = (by: boolean) => {
      clearTimeout(timer);
      resolve(by);
    };
    // A server that refuses early may reset a connection on which more is being sent.
    socket.on('error', () => undefined);
    socket.on('close', () => done(true));
    socket.on('data', (chunk) => {
      server ??= accepted.socketOf(socket);
      received = Buffer.concat([received, chunk]);
      if (readAnswers(received).length >= wanted) done(false);
    });
    const send = async () => {
      let sent = 0;
      const isRead = () => isOver || (accepted.socketOf(socket)?.bytesRead ?? 0) >= sent;
      for (const part of parts) {
        while (apart && !isRead()) await setImmediate();
        socket.write(part);
        sent += Buffer.byteLength(part);
      }
      if (end) socket.end();
      while (onRead && !isRead()) await setImmediate();
      await onRead?.();
    };
    send().catch(reject);
  }).finally(() => {
    isOver = true;
    accepted.stop();
    socket.destroy();
  });
  const readBytes = server?.bytesRead ?? 0;
  return { answers: readAnswers(received), closed, readBytes };
}

export function openSocket(url: string, options: Partial<TcpNetConnectOpts> = {}): Socket {
  const { hostname, port } = new URL(url);
  return connect({ ...options, port: Number(port), host: hostname });
}

/** The complete answers in what was received; the body of a chunked one is left in its chunks. */
export function readAnswers(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let from = 0; ;) {
    const head = received.indexOf('\r\n\r\n', from);
    if (head === -1) return answers;
    const [first, ...lines] = received.toString('latin1', from, head).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ) as Record<string, string>;
    const length =
      headers['transfer-encoding'] === 'chunked'
        ? received.indexOf('0\r\n\r\n', head + 4) + 5 - (head + 4)
        : Number(headers['content-length'] ?? 0);
    const body = received.subarray(head + 4, head + 4 + length);
    if (length < 0 || body.length < length) return answers;
    answers.push({ status: Number(first.split(' ')[1]), headers, body: body.toString() });
    from = head + 4 + length;
  }
}
