import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProgram } from '../../../storage/embedded/server-program.js';
import { socketExchange } from '../../../storage/embedded/mongodb-ready.js';
import { spawnServer, type RunningServer } from '../../../storage/embedded/spawn-server.js';
import { freePort } from '../process/service-process.js';
import { until } from '../process/until.js';
import type { BreakableServer } from './own-server.js';
import { ownProgram } from './own-server.js';

const name = 'tidemark';
const password = 'a password';
const quorum = 2;
/** How long a primary is silent before the sentinels choose another. */
const silentMs = 2_000;

/** A Redis or a sentinel on its port. */
interface Member {
  program: ServerProgram;
  port: number;
  running: RunningServer | undefined;
}

/** Two Redis servers, of which one follows the other, and three sentinels that change their parts. */
export class SentinelSet implements BreakableServer {
  readonly url: string;
  readonly #folder: string;
  readonly #members: readonly Member[];
  readonly #sentinels: readonly Member[];

  private constructor(folder: string, members: readonly Member[], sentinels: readonly Member[]) {
    this.#folder = folder;
    this.#members = members;
    this.#sentinels = sentinels;
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join();
    this.url = `redis+sentinel://:${encodeURIComponent(password)}@${hosts}/${name}?db=1`;
  }

  static async open(): Promise<SentinelSet> {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    const { command } = await ownProgram('redis', folder);
    const [primary, ...rest] = await Promise.all([
      freePort(),
      freePort(),
      freePort(),
      freePort(),
      freePort(),
    ]);
    const member = async (port: number, args: string[], config = ''): Promise<Member> => {
      const own = join(folder, String(port));
      await mkdir(own);
      await writeFile(join(own, 'own.conf'), config);
      return { program: programOf(command, own, args), port, running: undefined };
    };
    const follow = ['--replicaof', '127.0.0.1', String(primary)];
    const members = await Promise.all([
      member(primary, dataArguments),
      member(rest[0], [...dataArguments, ...follow]),
    ]);
    const sentinels = await Promise.all(
      rest.slice(1).map((port) => member(port, ['--sentinel'], sentinelConfig(primary))),
    );
    const set = new SentinelSet(folder, members, sentinels);
    await Promise.all([...members, ...sentinels].map((each) => set.#run(each)));
    await until('sentinels that know of each other and of the replica', async () => {
      const answers = await Promise.all(sentinels.map(({ port }) => send(port, `SENTINEL MASTER ${name}`)));
      return answers.every(
        (each) => /num-slaves\s+\$1\s+1\s/.test(each) && /num-other-sentinels\s+\$1\s+2\s/.test(each),
      );
    });
    return set;
  }

  /** The port of the server that is the primary, as most sentinels say. */
  async primaryPort(): Promise<number> {
    const ports = await Promise.all(
      this.#sentinels.map(async ({ port }) => {
        const answer = await send(port, `SENTINEL GET-MASTER-ADDR-BY-NAME ${name}`);
        return Number(/127\.0\.0\.1\s+\$\d+\s+(\d+)/.exec(answer)?.[1]);
      }),
    );
    return ports.sort((a, b) => a - b)[ports.length >> 1];
  }

  /** Ends the primary like `kill -9`. */
  async kill(): Promise<void> {
    const primary = await this.#primary();
    process.kill(primary.running!.pid, 'SIGKILL');
    await primary.running!.ended;
    primary.running = undefined;
  }

  /** Resolves when another server is the primary; then the former one is started, which follows it from then on. */
  async start(): Promise<void> {
    await until('a new primary', async () => (await this.#primary()).running !== undefined);
    await Promise.all(this.#members.filter(({ running }) => !running).map((each) => this.#run(each)));
    await until('two servers in step', async () => {
      const info = await send((await this.#primary()).port, 'INFO replication');
      return info.includes('role:master') && /slave0:.*state=online/.test(info);
    });
  }

  empty(): Promise<void> {
    throw new Error('the new primary has the data');
  }

  /** The server that was the primary first keeps its connections open and answers nothing. */
  freeze(): void {
    process.kill(this.#members[0].running!.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.#members[0].running!.pid, 'SIGCONT');
  }

  async close(): Promise<void> {
    for (const { running } of [...this.#sentinels, ...this.#members]) await running?.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #primary(): Promise<Member> {
    const port = await this.primaryPort();
    return this.#members.find((each) => each.port === port)!;
  }

  async #run(member: Member): Promise<void> {
    const log = join(this.#folder, `${member.port}.log`);
    member.running = await spawnServer(member.program, member.port, log, new AbortController().signal);
  }
}

const dataArguments = [
  ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'],
  ...['--requirepass', password, '--masterauth', password],
  // The replica has everything within a few ms of its start.
  ...['--repl-diskless-sync', 'yes', '--repl-diskless-sync-delay', '0'],
];

const sentinelConfig = (port: number): string =>
  [
    `sentinel monitor ${name} 127.0.0.1 ${port} ${quorum}`,
    `sentinel auth-pass ${name} ${JSON.stringify(password)}`,
    `sentinel down-after-milliseconds ${name} ${silentMs}`,
    `sentinel failover-timeout ${name} 6000`,
  ].join('\n');

function programOf(command: string, folder: string, args: readonly string[]): ServerProgram {
  return {
    ...{ kind: 'redis', title: 'Redis', origin: command, command, folder },
    args: (port) => [
      join(folder, 'own.conf'),
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--set-proc-title', 'no'],
      ...args,
    ],
    url: (port) => `redis://127.0.0.1:${port}`,
    isReady: async (port, pid) => (await send(port, 'INFO server')).includes(`process_id:${pid}`),
  };
}

/** The answer to a command; empty while the server does not answer. Sentinels need no password. */
async function send(port: number, command: string): Promise<string> {
  const text = `AUTH "${password}"\r\n${command}\r\nPING\r\n`;
  return (
    (await socketExchange({ host: '127.0.0.1', port }, text, (answer) => /[+]PONG\r\n$/.test(answer))) ?? ''
  );
}
