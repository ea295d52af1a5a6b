import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { openMongo } from '../../../storage/servers/mongo.js';
import { MongoWatch } from '../../../storage/servers/mongo-watch.js';
import { within } from '../../support/process/within.js';
import { listenLocally } from '../../support/servers/listen-locally.js';
import { MongoProxy } from '../../support/servers/mongo-proxy.js';
import { freshMongodbUrl } from '../../support/servers/servers.js';

describe('openMongo', () => {
  it('reaches a MongoDB that has not answered the first operation', async () => {
    const proxy = await MongoProxy.open(await freshMongodbUrl(), () => 'pass');
    const mongo = openMongo(proxy.url, { timeoutMs: 10_000, failsFast: true });
    proxy.isCut = true;
    for (let n = 0; n < 2; n++) await assert.rejects(mongo.ping(), /closed|selection/i);
    proxy.mend();
    await mongo.ping();
    await mongo.close();
    await assert.rejects(mongo.ping(), /closed|connected/);
    await proxy.close();
  });
});

describe('MongoWatch', function () {
  this.timeout(30_000);

  it('pauses a worker three seconds after MongoDB has stopped to answer, its connections open', async () => {
    const target = new URL(await freshMongodbUrl());
    const sockets = new Set<Socket>();
    let isSilent = false;
    const way = createServer((client) => {
      if (isSilent) return void sockets.add(client);
      const server = connect(Number(target.port), target.hostname);
      for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
      client.pipe(server).pipe(client);
    });
    const mongodbUrl = new URL(target);
    mongodbUrl.host = new URL(await listenLocally(way)).host;
    mongodbUrl.searchParams.set('directConnection', 'true');
    const paused = new AbortController();
    const worker = { pause: () => Promise.resolve(paused.abort()), resume: () => undefined };
    const log = pino({ level: 'silent' });
    const watch = new MongoWatch({ mongodbUrl: mongodbUrl.href, workers: [worker], log });
    // It has looked twice and had answers.
    await delay(2_500);
    assert.equal(watch.answers, true);
    const started = performance.now();
    isSilent = true;
    for (const socket of sockets) socket.unpipe();
    await within('the pause', once(paused.signal, 'abort'), 30_000);
    assert.ok(performance.now() - started > 2_500);
    assert.equal(watch.answers, false);
    way.close();
    for (const socket of sockets) socket.destroy();
    await watch.close();
  });
});
