import type { Redis } from 'ioredis';

/**
 * Fails each command of this connection that has no answer after so many milliseconds. Unlike the `commandTimeout` of ioredis it
 * takes an answer that arrived while this process was busy: timers run before sockets are read, so after a pause of the process
 * that option would fail commands that Redis answered long ago.
 */
export function limitAnswers(redis: Redis, limitMs: number): void {
  const send: Redis['sendCommand'] = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const fail = () => {
      if (!command.isSettled) command.reject(new Error(`no answer from Redis within ${limitMs} ms`));
    };
    // Sockets are read between the timers and the immediates of a turn of the event loop.
    const timer = setTimeout(() => setImmediate(fail), limitMs);
    const stop = () => clearTimeout(timer);
    command.promise.then(stop, stop);
    return send(command, stream);
  };
}
