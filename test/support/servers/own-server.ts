import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../storage/embedded/free-port.js';
import { embeddedMongodbUrl } from '../../../storage/embedded/mongodb-ready.js';
import { findMongodbServer } from '../../../storage/embedded/mongodb-server.js';
import { findRedisServer } from '../../../storage/embedded/redis-server.js';
import type { ServerProgram } from '../../../storage/embedded/server-program.js';
import { spawnServer, type RunningServer } from '../../../storage/embedded/spawn-server.js';
import { serversDir } from './servers.js';

/** A Redis or MongoDB of the test's own, to be killed, frozen and started again on its port. */
export class OwnServer {
  readonly url: string;
  readonly #program: ServerProgram;
  readonly #port: number;
  readonly #folder: string;
  #running: RunningServer | undefined;

  private constructor(program: ServerProgram, port: number, folder: string) {
    this.#program = program;
    this.#port = port;
    this.#folder = folder;
    this.url = program.kind === 'redis' ? `redis://127.0.0.1:${port}` : embeddedMongodbUrl(port);
  }

  static async open(kind: 'redis' | 'mongodb'): Promise<OwnServer> {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    const find = kind === 'redis' ? findRedisServer : findMongodbServer;
    const program = await find(folder, serversDir, () => undefined);
    await mkdir(program.folder, { recursive: true });
    const server = new OwnServer(program, await freePort(), folder);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const log = join(this.#folder, 'server.log');
    this.#running = await spawnServer(this.#program, this.#port, log, new AbortController().signal);
  }

  async kill(): Promise<void> {
    process.kill(this.#running!.pid, 'SIGKILL');
    await this.#running!.ended;
    this.#running = undefined;
  }

  /** Throws its data away while it is not running. */
  async empty(): Promise<void> {
    await rm(this.#program.folder, { recursive: true, force: true });
    await mkdir(this.#program.folder, { recursive: true });
  }

  /** Keeps its connections open and answers nothing. */
  freeze(): void {
    process.kill(this.#running!.pid, 'SIGSTOP');
  }

  thaw(): void {
    if (this.#running) process.kill(this.#running.pid, 'SIGCONT');
  }

  async close(): Promise<void> {
    if (this.#running) await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
