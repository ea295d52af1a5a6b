import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RoleMessage } from '../../../storage/process/role.js';
import type { TestAnswer } from '../gateway/gateway.js';
import { machineEnv } from './machine-env.js';

const modules = {
  gateway: { path: '../../../jobs/run.js', args: ['gateway'] },
  compute: { path: '../../../jobs/run.js', args: ['compute'] },
  market: { path: '../../../jobs/run.js', args: ['market'] },
  signals: { path: '../../../jobs/run.js', args: ['signals'] },
  /** A compute node whose backtests run until they are let go. */
  'gated compute': { path: '../jobs/gated-node-main.js', args: [] },
  /** A compute node that tells its engine, and a gateway that asks for it. */
  'engine node': { path: '../jobs/engine-node-main.js', args: [] },
  'engine gateway': { path: '../jobs/engine-gateway-main.js', args: [] },
  /** A worker whose schedule never ends. */
  'hanging schedules': { path: '../jobs/schedule-node-main.js', args: [] },
  /** A role that ends on an unexpected error at the first message. */
  failing: { path: './failing-role-main.js', args: [] },
  /** A compute node that knows the jobs of the benchmarks. */
  'bench compute': { path: '../../bench/bench-node-main.js', args: [] },
  /** Compute nodes of one process whose tasks wait. */
  'simulated nodes': { path: '../../bench/simulated-nodes-main.js', args: [] },
  /** A compute node that answers the numbered questions of the ledger of faults. */
  'ledger compute': { path: '../jobs/ledger-node-main.js', args: [] },
};

/** One role of the service in a process of its own. */
export class RoleChild {
  readonly process: ChildProcess;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  facts: Record<string, string> = {};
  log = '';
  reports: string[] = [];

  private constructor(name: keyof typeof modules, env: Record<string, string>, release: URL | string) {
    const { path, args } = modules[name];
    this.process = fork(fileURLToPath(new URL(path, release)), args, {
      cwd: '/',
      // Nothing of the settings in force for the tests themselves may leak in.
      env: {
        ...machineEnv(),
        HOST: '127.0.0.1',
        PORT: '0',
        MARKET: 'csv',
        THREADS: '1',
        LOG_LEVEL: 'info',
        ...env,
      },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.process.stderr?.on('data', (text: Buffer) => (this.log += text.toString()));
    this.exited = new Promise((resolve) =>
      this.process.once('exit', (code, signal) => resolve(code ?? signal!)),
    );
  }

  /** Resolves when the role is ready; throws with what it said when it ends before. `release`: see `otherRelease`. */
  static async start(
    name: keyof typeof modules,
    env: Record<string, string>,
    onReport: (line: string) => void = () => undefined,
    release: URL | string = import.meta.url,
  ): Promise<RoleChild> {
    const role = new RoleChild(name, env, release);
    await new Promise<void>((resolve, reject) => {
      role.process.on('message', (message: RoleMessage) => {
        if (message.type === 'report') {
          role.reports.push(message.line);
          onReport(message.line);
        } else {
          role.facts = message.facts;
          resolve();
        }
      });
      void role.exited.then((how) => reject(new Error(`${name} ended with ${how}: ${role.log}`)));
    });
    return role;
  }

  /** Ends it like `kill -9`, and resolves when it is gone. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  /** Asks it to end, and resolves with its exit code. */
  async stop(): Promise<number | string> {
    this.process.kill('SIGTERM');
    return this.exited;
  }

  /** The messages of its log. */
  get messages(): string[] {
    const lines = this.log.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  }
}

/** Sends JSON to a gateway that runs elsewhere; tells how long the answer took. */
export async function ask(
  url: string,
  path: string,
  body?: object,
  token = '',
  more: Record<string, string> = {},
): Promise<TestAnswer & { ms: number; json: unknown }> {
  const started = performance.now();
  const answer = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', 'session-token': token, ...more },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json: unknown = await answer.json();
  const { result, payload } = json as Pick<TestAnswer, 'result' | 'payload'>;
  return {
    status: answer.status,
    headers: answer.headers,
    result,
    payload,
    json,
    ms: performance.now() - started,
  };
}
