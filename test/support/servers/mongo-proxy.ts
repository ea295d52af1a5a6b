import { createServer, type Server, type Socket } from 'node:net';
import { listenLocally } from './listen-locally.js';
import { commandName, connectTo, readMessages } from './mongo-messages.js';

const writes = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** What becomes of a write on its way; `cut` closes every connection. */
export type WriteVerdict = 'pass' | 'cut';

/** Decides what becomes of the next write, which is to that collection; a promise holds its connection back. */
type OnWrite = (collection: string) => WriteVerdict | Promise<WriteVerdict>;

/** A way to MongoDB that asks before each write. */
export class MongoProxy {
  url = '';
  /** Whether connections are refused. */
  isCut = false;
  /** Called with each connection that is refused: by then a client knows that MongoDB does not answer. */
  onRefused: () => void = () => undefined;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #onWrite: OnWrite;

  private constructor(mongodbUrl: string, onWrite: OnWrite) {
    this.#target = new URL(mongodbUrl);
    this.#onWrite = onWrite;
    this.#server = createServer((client) => this.#serve(client));
  }

  static async open(mongodbUrl: string, onWrite: OnWrite): Promise<MongoProxy> {
    const proxy = new MongoProxy(mongodbUrl, onWrite);
    const url = new URL(mongodbUrl);
    url.host = new URL(await listenLocally(proxy.#server)).host;
    url.searchParams.set('directConnection', 'true');
    proxy.url = url.href;
    return proxy;
  }

  /** Lets connections through again. */
  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket): void {
    if (this.isCut) {
      client.destroy();
      return this.onRefused();
    }
    const server = connectTo(this.#target, client, this.#sockets);
    server.pipe(client);
    let passing: Promise<void> | null = null;
    readMessages(client, (message) => {
      const pass = () => this.#pass(message, server);
      // In order: a message behind one that is held back waits, too.
      passing = passing ? passing.then(async () => void (await pass())) : pass();
    });
  }

  /** Sends a message on; null when that is done. */
  #pass(message: Buffer, server: Socket): Promise<void> | null {
    if (this.isCut) return null;
    const name = commandName(message);
    const verdict = writes.has(name) ? this.#onWrite(collectionOf(message, name)) : 'pass';
    const act = (how: WriteVerdict) => {
      if (how === 'pass') return void server.write(message);
      this.isCut = true;
      for (const socket of this.#sockets) socket.destroy();
    };
    if (verdict instanceof Promise) return verdict.then(act);
    act(verdict);
    return null;
  }
}

/** The value of the first field, which follows the end of its name and its length. */
function collectionOf(message: Buffer, name: string): string {
  const start = message.indexOf(`${name}\0`, 0, 'latin1') + name.length + 1 + 4;
  return message.toString('utf8', start, message.indexOf(0, start));
}
