import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

const writes = new Set(['insert', 'update', 'delete', 'findAndModify']);
const headerBytes = 16;
/** Header, flags, the kind of the first section, the length of its document and the type of its first field. */
const nameOffset = headerBytes + 4 + 1 + 4 + 1;

/**
 * A way to MongoDB that breaks before a chosen write: that write does not arrive, every connection is closed and none is
 * accepted until `mend`. To the client it is as if the process or the network had died there.
 */
export class WriteCut {
  url = '';
  isCut = false;
  /** The writes that went through. */
  written = 0;
  #left = Infinity;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(mongodbUrl: string) {
    this.#target = new URL(mongodbUrl);
    this.#server = createServer((client) => this.#serve(client));
  }

  static async open(mongodbUrl: string): Promise<WriteCut> {
    const cut = new WriteCut(mongodbUrl);
    cut.#server.listen(0, '127.0.0.1');
    await once(cut.#server, 'listening');
    const url = new URL(mongodbUrl);
    url.host = `127.0.0.1:${(cut.#server.address() as AddressInfo).port}`;
    url.searchParams.set('directConnection', 'true');
    cut.url = url.href;
    return cut;
  }

  /** Lets so many writes through, and cuts before the next. */
  after(count: number): void {
    this.#left = count;
  }

  mend(): void {
    this.isCut = false;
    this.#left = Infinity;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket): void {
    if (this.isCut) return void client.destroy();
    const server = connect(Number(this.#target.port), this.#target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    server.pipe(client);
    let received: Buffer = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= headerBytes && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        this.#pass(received.subarray(0, length), server);
        received = received.subarray(length);
      }
    });
  }

  #pass(message: Buffer, server: Socket): void {
    if (this.isCut) return;
    const name = message.toString('latin1', nameOffset, message.indexOf(0, nameOffset));
    if (writes.has(name) && this.#left-- <= 0) {
      this.isCut = true;
      for (const socket of this.#sockets) socket.destroy();
      return;
    }
    if (writes.has(name)) this.written++;
    server.write(message);
  }
}
