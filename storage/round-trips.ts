import type { Redis } from 'ioredis';
import type { MongoClient } from 'mongodb';
import type { Metrics } from './metrics.js';

type SendCommand = Redis['sendCommand'];

/** Measures what this connection sends. Its duplicates, on which queues wait for jobs, stay unmeasured. */
export function measureRedis(redis: Redis, metrics: Metrics): void {
  const send: SendCommand = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    // One that waits for a connection comes by again when there is one.
    if (redis.status !== 'ready') return send(command, stream);
    const started = performance.now();
    const ended = (outcome: 'ok' | 'error') => () =>
      metrics.roundTrip('redis', command.name, outcome, performance.now() - started);
    command.promise.then(ended('ok'), ended('error'));
    return send(command, stream);
  };
}

/** Measures the commands of a client that was made with `monitorCommands`. */
export function measureMongo(client: MongoClient, metrics: Metrics): void {
  // The driver's own durations are whole milliseconds.
  const started = new Map<number, number>();
  const ended =
    (outcome: 'ok' | 'error') =>
    ({ requestId, commandName }: { requestId: number; commandName: string }) => {
      const from = started.get(requestId);
      if (from === undefined) return;
      started.delete(requestId);
      metrics.roundTrip('mongodb', commandName, outcome, performance.now() - from);
    };
  client.on('commandStarted', ({ requestId }) => started.set(requestId, performance.now()));
  client.on('commandSucceeded', ended('ok'));
  client.on('commandFailed', ended('error'));
}
