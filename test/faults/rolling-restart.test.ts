import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openDeployment, type Deployment } from '../support/deployment.js';
import { RoleChild } from '../support/role-child.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers.js';

/** Asks one after the other until it is told to end, each question another one. */
class Load {
  readonly statuses = new Map<string, number>();
  #ended = false;
  readonly #done: Promise<unknown>;

  /** `urls` are the gateways as a load balancer knows them: one that takes no connection is passed over. */
  constructor(urls: () => readonly string[], token: string, callers: number) {
    const callAll = Array.from({ length: callers }, async (_, caller) => {
      for (let n = 0; !this.#ended; n++) {
        const feeRate = 0.001 + (caller * 10_000 + n) * 1e-9;
        this.#count(
          await ask(urls(), n + caller, token, { asset: 'BTC', interval: '1h', period: '3M', feeRate }),
        );
      }
    });
    this.#done = Promise.all(callAll);
  }

  get answered(): number {
    return this.statuses.get('200') ?? 0;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#done;
  }

  #count(status: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

async function ask(urls: readonly string[], turn: number, token: string, body: object): Promise<string> {
  for (let tried = 0; tried < urls.length; tried++) {
    const outcome = await post(urls[(turn + tried) % urls.length], token, JSON.stringify(body));
    if (outcome !== 'ECONNREFUSED') return outcome;
  }
  return 'nobody there';
}

/** The status of the answer, or the code of what came instead. Each question has a connection of its own. */
const post = (url: string, token: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': text.length,
      'session-token': token,
    };
    const sent = request(
      `${url}/backend/core-line/backtest`,
      { method: 'POST', agent: false, headers },
      (answer) => {
        answer.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
        answer.resume().on('end', () => resolve(String(answer.statusCode)));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(text);
  });

describe('a rolling restart under load', function () {
  this.timeout(60_000);
  let deployment: Deployment;
  const gateways: RoleChild[] = [];
  const nodes: RoleChild[] = [];

  before(async () => {
    const [redisUrl, mongodbUrl] = await Promise.all([freshRedisUrl(), freshMongodbUrl()]);
    deployment = await openDeployment({ redisUrl, mongodbUrl, computeNodes: 2 });
    gateways.push(deployment.gateway, await RoleChild.start('gateway', deployment.env));
    nodes.push(...deployment.nodes);
    await deployment.ready();
  });
  after(async () => {
    await Promise.all([...gateways, ...nodes].map((role) => role.kill()));
  });

  /** Ends each process in order, one after the other, and starts another one in its place. */
  async function restart(roles: RoleChild[], name: 'gateway' | 'compute'): Promise<void> {
    for (const index of roles.keys()) {
      assert.equal(await roles[index].stop(), 0);
      roles[index] = await RoleChild.start(name, deployment.env);
      await pause(300);
    }
  }

  for (const [roles, name] of [
    [nodes, 'compute'],
    [gateways, 'gateway'],
  ] as const)
    it(`of every ${name} loses no request`, async () => {
      const load = new Load(() => gateways.map(({ facts }) => facts.url), deployment.token, 8);
      await restart(roles, name);
      const before = load.answered;
      await pause(500);
      await load.end();
      assert.deepEqual([...load.statuses.keys()], ['200']);
      assert.ok(load.answered > before, 'answers go on after the restart');
    });
});
