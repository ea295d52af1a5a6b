import assert from 'node:assert/strict';
import { openCollector, type CollectedSpan, type Collector } from '../support/servers/collector.js';
import { openDeployment, type Deployment, type DeploymentOptions } from '../support/gateway/deployment.js';
import { loadedSdk, tellLoaded } from '../support/process/loaded-sdk.js';
import { ask, type RoleChild } from '../support/process/role-child.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { freePort } from '../support/process/service-process.js';
import { until } from '../support/process/until.js';
import { within } from '../support/process/within.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const client = '00f067aa0ba902b7';

/** The lines of a role's log. */
const lines = ({ log }: RoleChild) =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('traces of a service', function () {
  this.timeout(60_000);
  let deployment: Deployment | undefined;
  let collector: Collector | undefined;
  afterEach(async () => {
    await deployment?.close();
    await collector?.close();
    deployment = collector = undefined;
  });

  const open = async (env: Record<string, string>, more?: DeploymentOptions['more']) =>
    (deployment = await openDeployment({
      redisUrl: await freshRedisUrl(),
      mongodbUrl: await freshMongodbUrl(),
      env: { NODE_OPTIONS: tellLoaded, LOG_LEVEL: 'debug', ...env },
      ...(more && { more }),
    }));

  /** Ends the roles in order. */
  const stop = async ({ gateway, nodes }: Deployment) => {
    assert.deepEqual(await Promise.all([gateway, ...nodes].map((role) => role.stop())), [0, 0]);
  };

  it('follow a backtest from the client through gateway, queue, node and thread, and are found from the log; each role is named and sampled as OTEL_* says', async () => {
    collector = await openCollector();
    const running = await open(
      // Sent at the end alone: what arrives was sent on SIGTERM.
      { OTEL_BSP_SCHEDULE_DELAY: '600000', OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
      {
        gateway: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
        compute: {
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
          OTEL_SERVICE_NAME: 'mine',
        },
      },
    );
    const headers = { traceparent: `00-${traceId}-${client}-01`, 'x-request-id': 'my-backtest' };
    assert.equal((await running.backtest({}, headers)).status, 200);
    // Not sampled: begun here, or by a client that does not sample.
    const otherTrace = traceId.replace('4bf', '4be');
    const unsampled = ['', `00-${'0'.repeat(32)}-${client}-01`, `00-${otherTrace}-${client}-00`];
    for (const [n, traceparent] of unsampled.entries()) {
      const body = { feePercent: 0.2 + n };
      assert.equal((await running.backtest(body, traceparent ? { traceparent } : {})).status, 200);
    }
    assert.equal(collector.posts, 0);
    await stop(running);
    assert.deepEqual([...new Set(collector.spans.map((span) => span.traceId))], [traceId]);

    const about = (role: RoleChild, msg: string) => {
      const { traceId, otelTraceId } = lines(role).find((line) => line.msg === msg)!;
      return { traceId, otelTraceId };
    };
    for (const [role, msg] of [
      [running.gateway, 'request done'],
      [running.nodes[0], 'job done'],
    ] as const)
      assert.deepEqual(about(role, msg), { traceId: 'my-backtest', otelTraceId: traceId });
    assert.ok([running.gateway, ...running.nodes].every((role) => loadedSdk(role).length > 0));

    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const named = (name: string) => {
      const found = spans.filter((span) => span.name === name);
      assert.equal(found.length, 1, `one span "${name}" among ${spans.map((span) => span.name).join()}`);
      return found[0];
    };
    const request = named('POST /backend/core-line/backtest');
    const asked = named('ask backtest');
    const run = named('run backtest');
    const load = named('load candles');
    const decide = named('thread decide');
    const compute = named('thread backtest');
    const chain: [CollectedSpan, string][] = [
      [request, client],
      [asked, request.spanId],
      [run, asked.spanId],
      [load, run.spanId],
      [decide, run.spanId],
      [compute, run.spanId],
    ];
    for (const [span, parent] of chain) assert.equal(span.parentSpanId, parent, span.name);
    assert.deepEqual(
      [request, asked, run, compute].map(({ service, kind }) => `${service} ${kind}`),
      ['tidemark-gateway 2', 'tidemark-gateway 4', 'mine 5', 'mine 1'],
    );

    assert.equal(request.attributes['http.request.method'], 'POST');
    assert.equal(request.attributes['http.route'], '/backend/core-line/backtest');
    assert.equal(Number(request.attributes['http.response.status_code']), 200);
    assert.equal(request.attributes['tidemark.request_id'], 'my-backtest');
    assert.equal(asked.attributes['tidemark.answered'], 'computed');
    assert.equal(run.attributes['tidemark.outcome'], 'computed');
    assert.ok(Number(run.attributes['tidemark.queue_wait_ms']) >= 0);
    const computeMs = Number(compute.attributes['tidemark.compute_ms']);
    assert.ok(computeMs > 0 && computeMs <= compute.endMs - compute.startMs);

    const under = (parent: CollectedSpan, system: string) =>
      spans.filter(
        (span) => span.parentSpanId === parent.spanId && span.attributes['db.system.name'] === system,
      );
    assert.ok(under(load, 'mongodb').length > 0, 'the candles are read under "load candles"');
    assert.ok(under(asked, 'redis').length > 0, 'the queue is written to under "ask backtest"');
    assert.ok(under(request, 'redis').length > 0, 'the rate limit is counted under the request');
    const known = new Set([client, ...spans.map(({ spanId }) => spanId)]);
    assert.ok(spans.every(({ parentSpanId }) => known.has(parentSpanId)));
    assert.ok(spans.every(({ failed }) => !failed));
  });

  it('cost nothing but themselves where no collector answers', async () => {
    const running = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '50',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_BSP_MAX_QUEUE_SIZE: '8',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
    });
    const { url } = running.gateway.facts;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => running.backtest({ feePercent: n / 10 })),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const warned = (role: RoleChild) => lines(role).filter(({ level }) => Number(level) >= 40);
    for (const role of [running.gateway, ...running.nodes])
      await until('a word about the collector', () => warned(role).length > 0);
    for (let n = 0; n < 20; n++) assert.equal((await ask(url, '/healthz')).status, 200);
    // What is left to send would be tried for 30 s.
    await within('the end', stop(running), 20_000);
    for (const role of [running.gateway, ...running.nodes])
      assert.deepEqual(
        warned(role).map(({ msg }) => msg),
        ['spans do not arrive and are dropped'],
      );
  });
});
