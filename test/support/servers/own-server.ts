import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../storage/embedded/child-server.js';
import { findMongodbServer } from '../../../storage/embedded/start-servers.js';
import { findRedisServer } from '../../../storage/embedded/redis-server.js';
import type { ServerProgram } from '../../../storage/embedded/server-program.js';
import { spawnServer, type RunningServer } from '../../../storage/embedded/spawn-server.js';
import { serversDir } from './servers.js';

/** What tests break and mend. */
export type BreakableServer = Pick<
  OwnServer,
  'url' | 'start' | 'kill' | 'empty' | 'freeze' | 'thaw' | 'close'
>;

/** A run that is given its servers has no program for one of a test's own: the test is skipped. */
export class NoOwnServer extends Error {}

/** The program of a server that keeps its data in the folder. */
export async function ownProgram(kind: 'redis' | 'mongodb', folder: string): Promise<ServerProgram> {
  const find = kind === 'redis' ? findRedisServer : findMongodbServer;
  return find(folder, serversDir, () => undefined).catch((error: Error & { code?: string }) => {
    if (error.code !== 'server_not_found' || (process.env.REDIS_URL ?? '') === '') throw error;
    throw new NoOwnServer(`it needs a ${kind} of its own: ${error.message}`);
  });
}

/** Installs the programs of both servers, for processes that would each do so at the same moment. What can't be had, they say. */
export async function installServers(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
  await Promise.allSettled((['redis', 'mongodb'] as const).map((kind) => ownProgram(kind, folder)));
  await rm(folder, { recursive: true, force: true });
}

/** A Redis or MongoDB of the test's own, to be killed, frozen and started again on its port. */
export class OwnServer {
  readonly url: string;
  readonly #find: () => Promise<ServerProgram>;
  #program: ServerProgram;
  readonly #port: number;
  readonly #folder: string;
  #running: RunningServer | undefined;

  private constructor(
    program: ServerProgram,
    find: () => Promise<ServerProgram>,
    port: number,
    folder: string,
  ) {
    this.#find = find;
    this.#program = program;
    this.#port = port;
    this.#folder = folder;
    this.url = program.url(port);
  }

  /** A configurable Redis accepts CONFIG from the test. */
  static async open(
    kind: 'redis' | 'mongodb',
    { isConfigurable = false, more = [] as string[] } = {},
  ): Promise<OwnServer> {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    const find = async () => {
      const program = await ownProgram(kind, folder);
      await mkdir(program.folder, { recursive: true });
      const args = (port: number) => [
        ...program.args(port).filter((arg) => !isConfigurable || arg !== '-config'),
        ...more,
      ];
      return { ...program, args };
    };
    const server = new OwnServer(await find(), find, await freePort(), folder);
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
    this.#program = await this.#find();
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
