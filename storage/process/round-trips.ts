import type { Redis } from 'ioredis';
import type { MongoClient } from 'mongodb';
import type { Metrics } from './metrics.js';
import { failureName, type Span, type Tracing } from './tracing.js';

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

/**
 * Spans of the commands that a traced request or job sends. Not for a connection that gathers commands: it sends them in
 * the name of whoever came first.
 */
export function traceRedis(redis: Redis, tracing: Tracing): void {
  const send: SendCommand = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    if (redis.status !== 'ready' || !tracing.isRecording()) return send(command, stream);
    const attributes = { 'db.system.name': 'redis', 'db.operation.name': command.name };
    const span = tracing.start(command.name, { kind: 'client', attributes });
    command.promise.then(
      () => span.end(),
      (error: unknown) => span.end(failureName(error)),
    );
    return send(command, stream);
  };
}

/** Spans of the commands that a traced request or job sends; for a client that was made with `monitorCommands`. */
export function traceMongo(client: MongoClient, tracing: Tracing): void {
  const started = new Map<number, Span>();
  client.on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
    if (!tracing.isRecording()) return;
    const collection: unknown = command[commandName];
    const attributes = {
      'db.system.name': 'mongodb',
      'db.operation.name': commandName,
      'db.namespace': databaseName,
      'db.collection.name': typeof collection === 'string' ? collection : undefined,
    };
    started.set(requestId, tracing.start(commandName, { kind: 'client', attributes }));
  });
  const end = (requestId: number, failed?: string) => {
    started.get(requestId)?.end(failed);
    started.delete(requestId);
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failureName(failure)));
}
