import assert from 'node:assert/strict';
import { allAnalyses } from '../../../compute/analyses.js';
import { candleFields } from '../../../gateway/operations/analysis/analysis-operation.js';
import { routeTable } from '../../../gateway/routes/table.js';
import { openTestMarket } from '../../support/candles/market.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { askForEvents, type EventAnswer, type LastEvent } from '../../support/gateway/event-answer.js';
import { assertRefused } from '../../support/gateway/envelope.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openJobs } from '../../support/jobs/open-jobs.js';
import { sampleParams } from '../../support/jobs/sample-params.js';
import { until } from '../../support/process/until.js';

const backtestPath = '/backend/core-line/backtest';
const walkPath = '/backend/analysis/walk-forward';
const upTo = (count: number, from: number) => Array.from({ length: count }, (_, n) => from + n);

/** A walk-forward of a second or more; each number is another one. */
const longWalk = (number: number) => ({
  ...{ asset: 'LONG', interval: '1h', strategy: 'ema_cross', folds: 8 },
  grid: { fast: upTo(20, 2), slow: upTo(25, 30 + number) },
});

/** The last event, which is the only one of its kind. */
function lastOf({ events }: EventAnswer, name: 'result' | 'error'): LastEvent {
  const { name: found, data } = events.at(-1)!;
  assert.equal(found, name, JSON.stringify(data).slice(0, 300));
  assert.ok(events.slice(0, -1).every((each) => each.name === 'progress'));
  return data as LastEvent;
}

/** Fails unless progress starts in the queue and never falls. */
function assertRises({ events }: EventAnswer): void {
  const progress = events.filter(({ name }) => name === 'progress');
  assert.deepEqual(progress[0].data, { phase: 'queued', fraction: 0 });
  progress.forEach(({ data }, n) => {
    assert.ok(data.fraction >= 0 && data.fraction <= 1);
    if (n > 0) assert.ok(data.fraction >= progress[n - 1].data.fraction);
  });
}

describe('an answer as events', function () {
  this.timeout(30_000);
  let service: TestService;
  let token: string;
  before(async () => {
    ({ service, token } = await openTestMarket());
    const long = { market: 'csv', base: 'LONG', quote: 'USDT' } as const;
    await service.storage.candles.add(long, randomCandles(40_000));
  });
  after(() => service.close());

  const ask = (path: string, body: unknown, headers: Record<string, string> = { 'session-token': token }) =>
    askForEvents({ url: service.url + path, body, headers });

  it('tells the progress, and ends with the status and body of the plain answer', async () => {
    const question = { ...longWalk(0), asset: 'BTC' };
    const streamed = await ask(walkPath, question);
    assert.deepEqual(await streamed.ended, { whole: true });
    assertRises(streamed);
    assert.equal(streamed.events.at(-2)!.data.fraction, 1);
    const plain = await service.post(walkPath, question, { 'session-token': token });
    const { status, body } = lastOf(streamed, 'result');
    assert.equal(status, plain.status);
    assert.deepEqual(body, { result: plain.result, payload: plain.payload });
  });

  it('is the same text as the plain body, whether the answer is new or stored', async () => {
    for (const feePercent of [0.2, 0.2]) {
      const question = { asset: 'BTC', interval: '1h', feePercent };
      const streamed = await ask(backtestPath, question);
      await streamed.ended;
      const plain = await fetch(service.url + backtestPath, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'session-token': token },
        body: JSON.stringify(question),
      });
      const data = `event: result\ndata: {"status":200,"body":${await plain.text()}}\n\n`;
      assert.ok(streamed.text().endsWith(data));
    }
  });

  it('is never stored, buffered or compressed', async () => {
    const { status, headers, ended } = await ask(
      backtestPath,
      { asset: 'BTC' },
      { 'session-token': token, 'Accept-Encoding': 'gzip, br' },
    );
    await ended;
    assert.equal(status, 200);
    const { 'content-type': type, 'cache-control': cache, vary, etag } = headers;
    assert.deepEqual([type, cache, vary], ['text/event-stream; charset=utf-8', 'no-store', 'Accept']);
    assert.deepEqual(
      [headers['x-accel-buffering'], headers['content-encoding'], etag],
      ['no', undefined, undefined],
    );
    assert.ok(Number(headers['ratelimit-remaining']) > 0);
    assert.match(headers['x-request-id'] as string, /^[\w-]{36}$/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  it('is given by every operation that reports progress, and by no other', async () => {
    const long = routeTable.filter(({ operation }) => operation.isLong).map(({ operation }) => operation.id);
    const phased = allAnalyses.filter(({ phases }) => phases).map(({ name }) => name);
    const ownPhases = [
      'ask-assistant',
      'ask-guest-assistant',
      'backtest',
      'get-portfolio-risk',
      'portfolio',
      'research-backtest',
      'research-sweep',
      'research-walk-forward',
      'run-luck',
      'run-monte-carlo',
      'sweep',
    ];
    assert.deepEqual(long.sort(), [...ownPhases, ...phased].sort());
    for (const name of ['compare', 'monte-carlo', 'scan-states', 'walk-forward'])
      assert.ok(long.includes(name));
    for (const analysis of allAnalyses) {
      const about = 'asset' in candleFields(analysis) ? { asset: 'BTC' } : {};
      const answer = await ask(`/backend/analysis/${analysis.name}`, { ...about, ...sampleParams(analysis) });
      await answer.ended;
      const isStream = answer.headers['content-type'] === 'text/event-stream; charset=utf-8';
      assert.equal(isStream, analysis.phases !== undefined, analysis.name);
      if (!isStream) continue;
      assert.equal(lastOf(answer, 'result').status, 200, analysis.name);
      assertRises(answer);
    }
  });

  it('is JSON for those who do not prefer events', async () => {
    for (const Accept of ['*/*', 'application/json, text/event-stream', 'text/event-stream;q=0.5, */*']) {
      const answer = await ask(backtestPath, { asset: 'BTC' }, { 'session-token': token, Accept });
      await answer.ended;
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8', Accept);
      assert.equal(answer.headers.vary, 'Accept, Accept-Encoding', Accept);
    }
  });

  it('is given to guests where they may ask', async () => {
    const answer = await ask('/backend/analysis/scan-states', {}, {});
    await answer.ended;
    assert.equal(lastOf(answer, 'result').status, 200);
  });

  it('has its usual status and body where the request is refused before it starts', async () => {
    const refusals: [
      body: unknown,
      headers: Record<string, string>,
      status: number,
      type: string,
      field?: string,
    ][] = [
      [{ asset: 'BTC' }, {}, 401, 'UNAUTHORIZED'],
      [{ asset: 'BTC', period: '2y' }, { 'session-token': token }, 400, 'INVALID_INPUT_PERIOD', 'period'],
      [{ asset: 'NOPE' }, { 'session-token': token }, 400, 'INVALID_INPUT_ASSET', 'asset'],
      ['{', { 'session-token': token }, 400, 'INVALID_INPUT_BODY'],
      [' '.repeat(70_000), { 'session-token': token }, 413, 'INVALID_INPUT_BODY'],
      ['x', { 'session-token': token, 'Content-Type': 'text/plain' }, 415, 'INVALID_INPUT_BODY'],
    ];
    for (const [body, headers, status, type, field] of refusals) {
      const answer = await ask(backtestPath, body, headers);
      await answer.ended;
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      const parsed = JSON.parse(answer.text()) as LastEvent['body'];
      const known = new Headers({ 'x-request-id': String(answer.headers['x-request-id']) });
      const found = { status: answer.status, headers: known, ...parsed };
      assertRefused(found, { status, type, ...(field === undefined ? {} : { field }) });
    }
  });

  it('ends with the error of the job as the plain answer has it', async () => {
    const question = { asset: 'NEW', interval: '1h' };
    const streamed = await ask(backtestPath, question, {
      'session-token': token,
      'x-request-id': 'the-same',
    });
    assert.deepEqual(await streamed.ended, { whole: true });
    assert.equal(streamed.status, 200);
    const plain = await service.post(backtestPath, question, {
      'session-token': token,
      'x-request-id': 'the-same',
    });
    assert.equal(plain.status, 400);
    const body = { result: plain.result, payload: plain.payload as unknown };
    assert.deepEqual(lastOf(streamed, 'error'), { status: 400, body });
  });

  it('gives all who ask the same their progress', async () => {
    const first = await ask(walkPath, longWalk(1));
    await until('progress of the first', () => first.events.length >= 2);
    const second = await ask(walkPath, longWalk(1), { 'session-token': await service.signIn() });
    await Promise.all([first.ended, second.ended]);
    assertRises(first);
    const heard = second.events
      .filter(({ name }) => name === 'progress')
      .map(({ data }) => data.fraction as number);
    // The second begins with what is known already.
    assert.ok(heard[0] > 0 && heard.length >= 2 && heard.at(-1) === 1, String(heard));
    assert.deepEqual(lastOf(first, 'result'), lastOf(second, 'result'));
  });

  it('cancels the job when the last client leaves, and does not compute to its end', async () => {
    const [stays, leaves] = [await ask(walkPath, longWalk(2)), await ask(walkPath, longWalk(2))];
    await until('progress of both', () => stays.events.length >= 3 && leaves.events.length >= 2);
    leaves.leave();
    await stays.ended;
    assert.equal(lastOf(stays, 'result').status, 200);

    const alone = await ask(walkPath, longWalk(3));
    await until('progress', () => alone.events.length >= 2 && alone.events.at(-1)!.data.fraction > 0);
    assert.ok(alone.events.at(-1)!.data.fraction < 0.8);
    const results = await service.deps.redis.hlen('tidemark:results');
    assert.ok(results > 0);
    alone.leave();
    await until('no waiting call', () => service.deps.queues.waiterCount === 0);
    await until('no running job', async () => (await openJobs(service.deps.redis, 'backtest')) === 0);
    assert.equal(await service.deps.redis.hlen('tidemark:results'), results);
  });
});

describe('an answer as events that waits', function () {
  this.timeout(30_000);
  let service: TestService;
  let token: string;
  before(async () => {
    ({ service, token } = await openTestMarket({
      computeNodes: 0,
      env: { BACKTEST_TIMEOUT_MS: '4000', QUEUE_DEPTH: '3' },
    }));
  });
  after(() => service.close());
  const ask = (feePercent: number) =>
    askForEvents({
      url: service.url + backtestPath,
      body: { asset: 'BTC', feePercent },
      headers: { 'session-token': token },
    });

  it('tells the place in the queue again and again, and ends at the time limit', async () => {
    const answers: EventAnswer[] = [];
    const started = performance.now();
    for (const fee of [1, 2, 3]) {
      answers.push(await ask(fee));
      await until('the job', async () => (await openJobs(service.deps.redis, 'backtest')) === answers.length);
    }
    // The queue is full: it is refused as usual, or, if its length is not known yet, as the last event.
    const refused = await ask(4);
    await refused.ended;
    const { status, retryAfterSeconds } =
      refused.status === 200
        ? lastOf(refused, 'error')
        : { status: refused.status, retryAfterSeconds: Number(refused.headers['retry-after']) };
    assert.deepEqual([status, retryAfterSeconds], [503, 1]);

    await Promise.all(answers.map(({ ended }) => ended));
    assert.ok(performance.now() - started > 4_000);
    answers.forEach((answer, n) => {
      assertRises(answer);
      const { status, body } = lastOf(answer, 'error');
      assert.deepEqual([status, body.result.type], [504, 'CRITICAL']);
      assert.match(String(body.payload.message), /longer than its limit of 4 s/);
      const positions = answer.events.flatMap(({ data }) => (data as { position?: number }).position ?? []);
      assert.ok(positions.length >= 2, String(positions));
      // Those before it may be over first.
      assert.equal(positions[0], n + 1);
      assert.ok(positions.every((position, k) => k === 0 || position <= positions[k - 1]));
      assert.ok(answer.comments.length >= 2);
    });
  });
});
