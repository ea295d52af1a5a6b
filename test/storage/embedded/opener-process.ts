import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Servers } from '../../../storage/embedded/servers.js';
import type { OpenServersOptions } from '../../../storage/embedded/open-servers.js';

/** What an opener process prints once: the servers it got, or the error. */
export type Opened = { ok: true; servers: Servers } | { ok: false; code: string; message: string };

export interface OpenerProcess {
  child: ChildProcess;
  opened: Promise<Opened>;
  /** Lets it close its servers and end. */
  close(): Promise<void>;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
}

/** Opens servers in a process of its own, which keeps them until it is closed or killed. */
export function openerProcess(options: Omit<OpenServersOptions, 'report'>): OpenerProcess {
  const program = fileURLToPath(new URL('./opener-main.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const opened = once(createInterface({ input: child.stdout }), 'line').then(
    ([line]) => JSON.parse(String(line)) as Opened,
  );
  return {
    child,
    opened,
    async close() {
      child.stdin.end();
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
