import type { Redis } from 'ioredis';

/** What a Redis has done so far. */
export interface RedisLoad {
  bytesIn: number;
  bytesOut: number;
  /** Time its process took of a core, in µs. */
  cpuUs: number;
  clients: number;
}

/** Reads it from the server's own figures; costs one command, which counts with the rest. */
export async function redisLoad(redis: Redis): Promise<RedisLoad> {
  const text = await redis.info();
  const figure = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)![1]);
  return {
    bytesIn: figure('total_net_input_bytes'),
    bytesOut: figure('total_net_output_bytes'),
    cpuUs: (figure('used_cpu_user') + figure('used_cpu_sys')) * 1e6,
    clients: figure('connected_clients'),
  };
}

/** Counts the commands that clients send while `work` runs, by name; not those that scripts call. */
export async function commandsDuring(
  redis: Redis,
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const monitor = await redis.monitor();
  const counts = new Map<string, number>();
  monitor.on('monitor', (_time: string, [name]: string[], source: string) => {
    if (source !== 'lua') counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  });
  await work();
  // What was sent before it has been told of by then.
  await redis.ping();
  monitor.disconnect();
  counts.delete('info');
  return counts;
}
