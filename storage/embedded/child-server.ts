import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import type { ServerProgram } from './server-program.js';
import { spawnServer, type RunningServer } from './spawn-server.js';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

const firstPauseMs = 500;
const longestPauseMs = 10_000;

export interface ChildServerOptions {
  logFile: string;
  report: (line: string) => void;
  /** Called when the server was started again and has a new process id. */
  restarted: () => void;
}

/** A server that is restarted on the same port or socket until it is stopped. */
export interface ChildServer {
  program: ServerProgram;
  /** The URL for clients. It may contain a password. */
  url: string;
  /** The port or socket, without secrets. */
  place: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the server on its socket or a free port, and starts it again there whenever it exits. */
export async function startChildServer(
  program: ServerProgram,
  options: ChildServerOptions,
): Promise<ChildServer> {
  const stopping = new AbortController();
  let current: RunningServer;
  const { port, server } = await startOnFreePort(program, options.logFile, stopping.signal);
  current = server;
  const place = program.socket ?? `127.0.0.1:${port}`;
  const kept = keepRunning();

  async function keepRunning() {
    while (!stopping.signal.aborted) {
      const reason = await current.ended;
      if (stopping.signal.aborted) return;
      await startAgain(`${program.title} (pid ${current.pid}) ${reason}`);
    }
  }

  async function startAgain(event: string) {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      options.report(`${event}; starting it again on ${place} in ${pauseMs / 1_000} s`);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        current = await spawnServer(program, port, options.logFile, stopping.signal);
        return options.restarted();
      } catch (error) {
        if (stopping.signal.aborted) return;
        event = (error as Error).message;
      }
    }
  }

  return {
    program,
    url: program.url(port),
    place,
    get pid() {
      return current.pid;
    },
    async stop() {
      stopping.abort();
      await current.stop();
      await kept;
      // A restart may have succeeded in the meantime.
      await current.stop();
    },
  };
}

/** Another process may take the free port first; the server's log then says so, and another port is tried. */
async function startOnFreePort(program: ServerProgram, logFile: string, signal: AbortSignal) {
  for (let attempt = 1; ; attempt++) {
    const port = program.socket === undefined ? await freePort() : 0;
    try {
      return { port, server: await spawnServer(program, port, logFile, signal) };
    } catch (error) {
      const taken = error instanceof AppError && /address (already )?in use/i.test(error.message);
      if (!taken || attempt === 3) throw error;
    }
  }
}

/** A free loopback port. Another process may take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
