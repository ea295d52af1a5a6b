import assert from 'node:assert/strict';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import type { Metrics } from '../../../storage/process/metrics.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { logLines } from '../../support/process/log-lines.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { Scrape } from '../../support/servers/scrape.js';
import { until } from '../../support/process/until.js';

const pair = { market: 'csv', base: 'BTC', quote: 'USDT' } as const;
const requests = 'tidemark_http_request_duration_seconds_count';
const scrape = async ({ registry }: Metrics) => new Scrape(await registry.metrics());

describe('metrics of a gateway and a compute node', () => {
  let service: TestService;
  const backtest = '/backend/core-line/backtest';
  const body = { asset: 'BTC', interval: '1h', period: '3M' };

  before(async () => {
    service = await openTestService({ measured: true });
    await service.storage.candles.add(pair, randomCandles(24 * 100));
  });
  after(() => service.close());
  const gateway = () => scrape(service.metrics.gateway);
  const node = () => scrape(service.metrics.nodes[0]);
  const counted = (count: number) =>
    until('all requests to be counted', async () => (await gateway()).sum(requests) === count);

  it('add up to what was asked', async () => {
    const headers = { 'session-token': await service.signIn() };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        service.post(backtest, { ...body, feePercent: (n % 4) / 10 }, headers),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal((await service.post(backtest, { ...body, feePercent: 0.1 }, headers)).status, 200);
    assert.equal((await service.post(backtest, body)).status, 401);
    await counted(42);

    const found = await gateway();
    const labels = { method: 'POST', route: backtest };
    assert.equal(found.sum(requests, { ...labels, status: '200' }), 41);
    assert.equal(found.sum(requests, { ...labels, status: '401' }), 1);
    assert.equal(found.sum('tidemark_http_requests_in_flight'), 0);
    const answered = (how: string) =>
      found.sum('tidemark_job_requests_total', { job: backtestJob.name, answered: how });
    assert.equal(answered('computed') + answered('joined') + answered('stored'), 41);
    assert.equal(answered('stored') > 0, true);

    const computed = await node();
    const run = 'tidemark_job_run_seconds_count';
    assert.equal(computed.sum(run, { job: backtestJob.name, outcome: 'computed' }), 4);
    assert.equal(computed.sum(run), computed.sum(run, { job: backtestJob.name }));
    assert.ok(computed.sum('tidemark_task_compute_seconds_count') >= 4);
    assert.equal(computed.sum('tidemark_pool_threads', { state: 'busy' }), 0);
    assert.equal(computed.sum('tidemark_pool_threads', { state: 'idle' }), 2);
    // The candles, room for a month of them, and what one strategy decided.
    assert.equal(computed.sum('tidemark_candle_cache_bytes'), (24 * 100 + 24 * 31) * 6 * 8 + 24 * 100);
    const reads = 'tidemark_candle_cache_reads_total';
    assert.equal(computed.sum(reads), 4);
    assert.ok(computed.sum(reads, { result: 'miss' }) >= 1);
    const loads = 'tidemark_candle_cache_loads_total';
    assert.deepEqual(
      ['whole', 'append', 'change', 'none'].map((brought) => computed.sum(loads, { brought })),
      [1, 0, 0, 0],
    );
  });

  it('count round trips', async () => {
    for (const each of [await gateway(), await node()]) {
      const trips = (server: string) =>
        each.sum('tidemark_round_trip_seconds_count', { server, outcome: 'ok' });
      assert.ok(trips('redis') > 0 && trips('mongodb') > 0);
      // Waiting for jobs is no round trip.
      assert.ok(
        each.values('tidemark_round_trip_seconds_count', 'command').every((name) => !/^b[lz]/.test(name)),
      );
    }
  });

  it('have one series for all paths and methods nobody knows', async () => {
    const before = await gateway();
    await Promise.all(Array.from({ length: 50 }, (_, n) => fetch(`${service.url}/wild-${n}?q=${n}`)));
    await fetch(service.url + '/healthz');
    await fetch(service.url + backtest);
    for (const method of ['PROPFIND', 'REPORT', 'SEARCH']) await fetch(service.url + '/wild', { method });
    await counted(before.sum(requests) + 55);
    const after = await gateway();
    assert.deepEqual(after.values(requests, 'route'), [backtest, '/healthz', 'none']);
    assert.equal(after.sum(requests, { method: 'GET', route: 'none', status: '404' }), 50);
    assert.equal(after.sum(requests, { method: 'GET', route: 'none', status: '405' }), 1);
    assert.deepEqual(after.values(requests, 'method'), ['GET', 'POST', 'other']);
    assert.equal(after.sum(requests, { method: 'other', route: 'none' }), 3);
  });

  it('count one to MongoDB for a light read of a user', async () => {
    const headers = { 'session-token': await service.signIn() };
    const trips = async () =>
      (await gateway()).sum('tidemark_round_trip_seconds_count', { server: 'mongodb' });
    const read = async () =>
      assert.equal((await fetch(`${service.url}/backend/activepositions`, { headers })).status, 200);
    // The first has to find out whose the session is.
    await read();
    // Backtests of earlier tests may still be written meanwhile.
    await until('ten reads to cost ten', async () => {
      const before = await trips();
      for (let n = 0; n < 10; n++) await read();
      return (await trips()) === before + 10;
    });
  });
});

describe('the trace id of a request', () => {
  let service: TestService;
  const { log, lines } = logLines('debug');
  before(async () => {
    service = await openTestService({ log });
    await service.storage.candles.add(pair, randomCandles(24 * 100));
  });
  after(() => service.close());
  const linesOf = (traceId: string | null) =>
    lines.filter((line) => line.traceId === traceId).map(({ msg }) => msg);

  it('is in the answer, in the line of the request and in that of each job it asked', async () => {
    const ask = (interval: string) => service.post('/backend/core-line/chart', { asset: 'BTC', interval });
    const answers = await Promise.all([ask('1h'), ask('4h')]);
    for (const { status, headers } of answers) {
      assert.equal(status, 200);
      const traceId = headers.get('x-request-id');
      assert.ok(traceId);
      await until('both lines', () => linesOf(traceId).length === 2);
      assert.deepEqual(linesOf(traceId).sort(), ['job done', 'request done']);
    }
  });

  it('is in the line of a job that failed', async () => {
    const series = (await service.storage.series.find({ ...pair, interval: '1h' }))!;
    const traceId = 'fails-here';
    const payload = {
      key: { ...pair, base: 'NOPE', interval: '1h' },
      digest: series.digest,
      period: '3M',
      strategy: 'trend_state',
      params: {},
      costs: { feeRate: 0.001, slippageRate: 0.0005 },
    } as const;
    await assert.rejects(service.deps.queues.run(backtestJob, payload, { traceId }), {
      code: 'invalid_input',
    });
    await until('the line', () => linesOf(traceId).length === 1);
    assert.deepEqual(linesOf(traceId), ['job failed']);
  });
});
