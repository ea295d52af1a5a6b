import type { Redis } from 'ioredis';
import type { MongoClient } from 'mongodb';
import type { Metrics } from './metrics.js';
import { failureName, type Span, type Tracing } from './tracing.js';

type SendCommand = Redis['sendCommand'];

/** Measures the commands of this connection. Its duplicates, on which queues wait for jobs, are not measured. */
export function measureRedis(redis: Redis, metrics: Metrics): void {
  const send: SendCommand = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    // A command that waits for a connection is sent through here again when there is one.
    if (redis.status !== 'ready') return send(command, stream);
    const started = performance.now();
    const ended = (outcome: 'ok' | 'error') => () =>
      metrics.roundTrip('redis', command.name, outcome, performance.now() - started);
    command.promise.then(ended('ok'), ended('error'));
    return send(command, stream);
  };
}

/** Measures the commands of a client that was created with `monitorCommands`. */
export function measureMongo(client: MongoClient, metrics: Metrics): void {
  // The driver reports durations in whole milliseconds only.
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
 * Records a span for each command of a traced request or job. Not for a connection with auto-pipelining: it sends all
 * commands of a tick in the context of the first one.
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

/** Records a span for each command of a traced request or job. The client must be created with `monitorCommands`. */
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
