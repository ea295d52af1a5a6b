import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import { listenLocally } from '../support/servers/listen-locally.js';

/** What went through so far. */
export interface Carried {
  /** Messages of MongoDB's protocol that clients sent: each begins with its length. */
  messages: number;
  bytesIn: number;
  bytesOut: number;
}

/** Stands before a MongoDB and counts what goes to it and what comes back. */
export class CountingProxy {
  readonly #url: URL;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#join(client));
  readonly carried: Carried = { messages: 0, bytesIn: 0, bytesOut: 0 };

  constructor(mongodbUrl: string) {
    this.#url = new URL(mongodbUrl);
  }

  /** Resolves with the URL of the MongoDB behind it. */
  async open(): Promise<string> {
    const url = new URL(this.#url);
    url.port = new URL(await listenLocally(this.#server)).port;
    return url.href;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const server = connect(Number(this.#url.port), this.#url.hostname);
    /** Bytes of the message under way that are still to come. */
    let rest = 0;
    let head = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      this.carried.bytesIn += chunk.length;
      let at = 0;
      while (at < chunk.length) {
        if (rest === 0) {
          const needed = Math.min(4 - head.length, chunk.length - at);
          head = Buffer.concat([head, chunk.subarray(at, at + needed)]);
          at += needed;
          if (head.length < 4) break;
          rest = head.readInt32LE(0) - 4;
          head = Buffer.alloc(0);
          this.carried.messages++;
        }
        const taken = Math.min(rest, chunk.length - at);
        rest -= taken;
        at += taken;
      }
    });
    server.on('data', (chunk: Buffer) => (this.carried.bytesOut += chunk.length));
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
  }
}
