import assert from 'node:assert/strict';
import { AppError } from '../../../compute/model/errors.js';
import { RequestsInHand } from '../../../gateway/limits/requests-in-hand.js';
import { openTestMarket } from '../../support/candles/market.js';
import { assertRefused } from '../../support/gateway/envelope.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { testSecret, sendSigned } from '../../support/gateway/signed.js';
import { until } from '../../support/process/until.js';

describe('RequestsInHand', () => {
  /** Takes places until there is none; the functions that give them back. */
  function takeAll(inHand: RequestsInHand, network: string): (() => void)[] {
    const taken: (() => void)[] = [];
    for (;;) {
      try {
        taken.push(inHand.begin(network));
      } catch (error) {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'gateway_busy');
        return taken;
      }
    }
  }

  it('grants a network as many as are free, so that a place is left for the next', () => {
    const inHand = new RequestsInHand(8);
    const networks = ['a', 'b', 'c', 'd', 'e'];
    assert.deepEqual(
      networks.map((network) => takeAll(inHand, network).length),
      [4, 2, 1, 1, 0],
    );
  });

  it('counts each end once, and grants all again', () => {
    const inHand = new RequestsInHand(8);
    for (let time = 0; time < 3; time++) {
      const taken = takeAll(inHand, 'a');
      assert.equal(taken.length, 4);
      for (const end of [...taken, ...taken]) end();
    }
  });
});

describe('a gateway that has as many requests in hand as it takes', function () {
  this.timeout(90_000);
  let service: TestService;
  let token: string;
  const price = (address: string) =>
    sendSigned(service, '/v3/ai/get_price?base_asset=BTC', { headers: { 'X-Forwarded-For': address } });

  before(async () => {
    const env = { MAX_REQUESTS: '4', TRUSTED_HOPS: '1', AI_API_SECRETS: testSecret };
    ({ service, token } = await openTestMarket({ computeNodes: 0, env }));
  });
  after(() => service.close());

  it('answers 503 at once to the network that has most of them, and 200 to others', async () => {
    let isOver = false;
    const flood = Promise.all(
      Array.from({ length: 30 }, async () => {
        const statuses: number[] = [];
        while (!isOver) statuses.push((await price('203.0.113.7')).status);
        return statuses;
      }),
    );
    try {
      // On a busy machine MongoDB may be slow; a place must always be free.
      const answers = [];
      for (let n = 0; n < 25; n++) answers.push(await price('198.51.100.1'));
      assert.deepEqual(
        answers.filter(({ json }) => json.error?.code === 'gateway_busy'),
        [],
      );
      assert.ok(answers.some(({ status }) => status === 200));
    } finally {
      isOver = true;
    }
    assert.deepEqual([...new Set((await flood).flat())].sort(), [200, 503]);
    const answers = await Promise.all(Array.from({ length: 30 }, () => price('203.0.113.7')));
    const refused = answers.find(({ status }) => status === 503);
    assert.equal(refused?.headers.get('retry-after'), '1');
    assert.equal(refused.json.error.code, 'gateway_busy');
  });

  it('answers 503 in the envelope, too', async () => {
    const headers = { 'session-token': token };
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const answer = await fetch(`${service.url}/backend/activepositions`, { headers });
        const { result, payload } = (await answer.json()) as Pick<
          Parameters<typeof assertRefused>[0],
          'result' | 'payload'
        >;
        return { status: answer.status, headers: answer.headers, result, payload };
      }),
    );
    const refused = answers.find(({ status }) => status === 503);
    assertRefused(refused!, { status: 503, type: 'CRITICAL' });
    assert.equal(refused!.headers.get('retry-after'), '1');
    assert.ok(answers.some(({ status }) => status === 200));
  });

  it('does not count those that wait for a job', async () => {
    const leaving: AbortController[] = [];
    const ask = (feePercent: number) => {
      const controller = new AbortController();
      leaving.push(controller);
      return fetch(`${service.url}/backend/core-line/backtest`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'session-token': token },
        body: JSON.stringify({ asset: 'BTC', feePercent }),
        signal: controller.signal,
      }).catch(() => undefined);
    };
    const asked = Array.from({ length: 8 }, async (_, n) => {
      // One after the other, because each is in hand until it waits.
      await until('its turn', () => service.deps.queues.waiterCount === n);
      return ask((n + 1) / 10);
    });
    try {
      await until('the questions', () => service.deps.queues.waiterCount === 8);
      assert.equal((await price('127.0.0.1')).status, 200);
    } finally {
      for (const controller of leaving) controller.abort();
      await Promise.all(asked);
    }
  });
});
