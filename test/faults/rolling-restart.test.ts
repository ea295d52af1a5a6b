import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import { RoleChild } from '../support/process/role-child.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { until } from '../support/process/until.js';

/** Longer than a machine may hold the balancer up. */
const leaveMs = 5_000;
const lookMs = 100;

/** A gateway that takes longer to say that it is ready gets no requests meanwhile. */
const lookTimeoutMs = 700;

/** Sends each question to a gateway that says it is ready, as load balancers do, and never a second time. */
class Balancer {
  #ready: string[] = [];
  #turn = 0;
  readonly #gateways: readonly RoleChild[];
  readonly #looking = new AbortController();

  constructor(gateways: readonly RoleChild[]) {
    this.#gateways = gateways;
    void this.#look();
  }

  get url(): string | undefined {
    return this.#ready[this.#turn++ % this.#ready.length];
  }

  close(): void {
    this.#looking.abort();
  }

  async #look(): Promise<void> {
    while (!this.#looking.signal.aborted) {
      const urls = this.#gateways.map(({ facts }) => facts.url);
      const [ready] = await Promise.all([Promise.all(urls.map(isReady)), delay(lookMs)]);
      this.#ready = urls.filter((_, index) => ready[index]);
    }
  }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(lookTimeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Between two questions of a caller, so that the load leaves the processes that start some of the machine. */
const pauseMs = 100;

/** Asks one after the other until it is told to end, each question another one. */
class Load {
  readonly outcomes = new Map<string, number>();
  #ended = false;
  readonly #callers: number;
  readonly #done: Promise<unknown>;

  constructor(balancer: Balancer, token: string, callers: number) {
    this.#callers = callers;
    const callAll = Array.from({ length: callers }, async (_, caller) => {
      for (let n = 0; !this.#ended; n++) {
        const feePercent = 0.1 + (caller * 10_000 + n) * 1e-7;
        const body = { asset: 'BTC', interval: '1h', period: '3M', feePercent };
        // On a busy machine no gateway may be ready for a moment: a balancer then keeps the request.
        const url = await until('a gateway that is ready', () => balancer.url);
        this.#count(await post(url, token, JSON.stringify(body)));
        await delay(pauseMs);
      }
    });
    this.#done = Promise.all(callAll);
  }

  /** Resolves when every caller has had a few more answers. */
  async goesOn(): Promise<void> {
    const enough = this.#asked() + 5 * this.#callers;
    await until('more answers', () => this.#asked() >= enough);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#done;
  }

  #asked(): number {
    return [...this.outcomes.values()].reduce((sum, count) => sum + count, 0);
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
}

/** The status of the answer and the message of a failure, or the code of what came instead. Each has a connection of its own. */
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
        let body = '';
        answer.on('data', (part: Buffer) => (body += part.toString()));
        answer.on('end', () =>
          resolve(answer.statusCode === 200 ? '200' : `${answer.statusCode}: ${body.slice(0, 300)}`),
        );
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(text);
  });

describe('a rolling restart under load', function () {
  this.timeout(120_000);
  let deployment: Deployment;
  const gateways: RoleChild[] = [];
  const nodes: RoleChild[] = [];
  const balancer = new Balancer(gateways);

  before(async () => {
    const [redisUrl, mongodbUrl] = await Promise.all([freshRedisUrl(), freshMongodbUrl()]);
    deployment = await openDeployment({
      redisUrl,
      mongodbUrl,
      computeNodes: 2,
      env: { LEAVE_MS: String(leaveMs) },
    });
    gateways.push(deployment.gateway, await RoleChild.start('gateway', deployment.env));
    nodes.push(...deployment.nodes);
    await deployment.ready();
  });
  after(async () => {
    balancer.close();
    await Promise.all([...gateways, ...nodes].map((role) => role.kill()));
  });

  /**
   * Ends both processes in order, one after the other, while the load goes on. Another one starts in the place of the first,
   * and does all the work when the second is gone.
   */
  async function restart(roles: RoleChild[], name: 'gateway' | 'compute', load: Load): Promise<void> {
    const [first, second] = roles;
    assert.equal(await first.stop(), 0);
    roles[0] = await RoleChild.start(name, deployment.env);
    await load.goesOn();
    assert.equal(await second.stop(), 0);
    await load.goesOn();
  }

  for (const [roles, name] of [
    [nodes, 'compute'],
    [gateways, 'gateway'],
  ] as const)
    it(`of every ${name} loses no request`, async () => {
      await until('two gateways that are ready', () => new Set([balancer.url, balancer.url]).size === 2);
      const load = new Load(balancer, deployment.token, 4);
      await restart(roles, name, load);
      await load.end();
      assert.deepEqual([...load.outcomes.keys()], ['200']);
    });
});
