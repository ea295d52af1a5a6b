import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serversDir } from '../servers/servers.js';
import { CommandProcess, freePort } from '../process/service-process.js';

/** `npm start` of a release, wherever its entry is, with its commands. */
export class RunningRelease {
  readonly url: string;
  readonly login: { email: string; password: string };
  readonly #process: CommandProcess;
  readonly #folder: string;
  readonly #env: Record<string, string>;

  private constructor(
    started: CommandProcess,
    folder: string,
    env: Record<string, string>,
    [, url, email, password]: string[],
  ) {
    this.#process = started;
    this.#folder = folder;
    this.#env = env;
    this.url = url;
    this.login = { email, password };
  }

  /** Resolves when it is ready; throws with what it said when it ends before. */
  static async start(folder: string, settings: Record<string, string>): Promise<RunningRelease> {
    const env = { ...settings, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
    const started = new CommandProcess(process.execPath, entryOf(folder, 'start'), env, folder);
    const banner =
      /Tidemark is ready at (\S+)\n(?:.*\n)*sign in as (\S+) with password (\S+)\n(?:.*\n)*.*Ctrl-C stops/;
    return new RunningRelease(started, folder, env, await started.printed(banner));
  }

  get errors(): string {
    return this.#process.errors;
  }

  /** Asks it to end; answers its exit code. */
  stop(): Promise<number | null> {
    return this.#process.interrupt();
  }

  /** What a command of the release answers, as JSON. */
  command<T>(...args: string[]): T {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, SERVERS_DIR: serversDir, ...this.#env };
    const given = [...entryOf(this.#folder, 'admin'), ...args, '--json'];
    return JSON.parse(
      execFileSync(process.execPath, given, { cwd: this.#folder, env, encoding: 'utf8' }),
    ) as T;
  }
}

/** Since 0.1.0 there is one entry. */
function entryOf(folder: string, role: 'start' | 'admin'): string[] {
  if (existsSync(join(folder, 'dist/jobs/run.js'))) return ['dist/jobs/run.js', role];
  return [role === 'start' ? 'dist/gateway/supervisor/start.js' : 'dist/jobs/admin/main.js'];
}
