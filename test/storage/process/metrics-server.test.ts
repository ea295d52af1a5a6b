import assert from 'node:assert/strict';
import { Metrics } from '../../../storage/process/metrics.js';
import { serveMetrics, type MetricsServer } from '../../../storage/process/metrics-server.js';
import { openMetrics } from '../../../storage/process/open-tracing.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { Scrape } from '../../support/servers/scrape.js';

describe('/metrics', () => {
  let server: MetricsServer;
  let metrics: Metrics;
  const readiness = { missing: () => Promise.resolve(['start']) };

  beforeEach(async () => {
    metrics = new Metrics();
    server = await serveMetrics(metrics, readiness, { host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());
  const scrape = async () => new Scrape(await (await fetch(server.url)).text());

  it('is off unless a port is set', async () => {
    assert.equal(await openMetrics(readSettings({}, '/'), readiness), undefined);
  });

  it('has the figures of the process itself where it is on', async () => {
    const opened = (await openMetrics(readSettings({ METRICS_PORT: '0' }, '/'), readiness))!;
    try {
      assert.match(opened.url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
      const found = new Scrape(await (await fetch(opened.url)).text());
      assert.ok(found.sum('process_resident_memory_bytes') > 1e6);
    } finally {
      await opened.close();
    }
  });

  it('answers in the text form of Prometheus', async () => {
    metrics.requestEnded('GET', '/x', '200', 20);
    const answer = await fetch(server.url);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8');
    const found = new Scrape(await answer.text());
    const name = 'tidemark_http_request_duration_seconds';
    assert.equal(found.types.get(name), 'histogram');
    assert.equal(found.sum(`${name}_sum`), 0.02);
    assert.equal(found.sum(`${name}_bucket`, { le: '0.01' }), 0);
    assert.equal(found.sum(`${name}_bucket`, { le: '0.025' }), 1);
  });

  it('has units in its names', async () => {
    for (const name of (await scrape()).types.keys())
      assert.match(name, /^tidemark_\w+(_seconds|_bytes_total|_total)$/);
  });

  it('says that the process lives, and what it has not yet', async () => {
    const answers = ['/healthz', '/readyz'].map((path) => fetch(new URL(path, server.url)));
    const [alive, ready] = await Promise.all(answers);
    assert.deepEqual([alive.status, await alive.json()], [200, { alive: true }]);
    assert.deepEqual([ready.status, await ready.json()], [503, { ready: false, missing: ['start'] }]);
  });

  it('answers nothing else', async () => {
    const other = await fetch(new URL('/', server.url));
    assert.equal(other.status, 404);
    assert.equal(await other.text(), 'only /metrics, /healthz, /readyz are here\n');
    const posted = await fetch(server.url, { method: 'POST', body: 'x' });
    assert.equal(posted.status, 405);
    assert.equal(posted.headers.get('Allow'), 'GET, HEAD');
    assert.equal((await fetch(server.url, { method: 'HEAD' })).status, 200);
  });

  it('names the setting where its port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(serveMetrics(new Metrics(), readiness, { host: '127.0.0.1', port }), {
      code: 'port_in_use',
      message: `port ${port} on 127.0.0.1 is taken; set METRICS_PORT to a free one`,
    });
  });

  it('leaves out what cannot be read or is waited for too long, and has the rest', async () => {
    metrics.read('queueJobs', () => Promise.reject(new Error('away')));
    let fails = false;
    metrics.read('cacheBytes', () => {
      if (fails) throw new Error('away');
      return [[7]];
    });
    metrics.read('mailsWaiting', () => (fails ? new Promise(() => undefined) : [[1]]));
    metrics.read('cacheLoads', () => [[3]]);
    assert.equal((await scrape()).sum('tidemark_candle_cache_bytes'), 7);
    fails = true;
    const found = await scrape();
    const names = found.samples.map(({ name }) => name);
    for (const name of ['candle_cache_bytes', 'queue_jobs', 'mails_waiting'])
      assert.ok(!names.includes(`tidemark_${name}`), name);
    assert.equal(found.sum('tidemark_candle_cache_loads_total'), 3);
  });
});
