import type { Redis } from 'ioredis';
import type { AppError } from '../../compute/model/errors.js';
import { queueNames, queues, type QueueName } from '../../storage/cluster/queues.js';
import type { Metrics, MetricSample } from '../../storage/process/metrics.js';
import type { Tracing } from '../../storage/process/tracing.js';
import { ChannelListener } from '../../storage/servers/channel-listener.js';
import { RedisClock } from '../../storage/servers/redis-clock.js';
import { awaitRedis, connected, failFast, openRedis, patient } from '../../storage/servers/redis.js';
import type { PendingRequest } from './pending-request.js';
import { QueueClient } from './queue-client.js';
import type { RequestHandlers } from './request-handlers.js';
import { ResultStore } from './result-store.js';
import { decodeReplies, replyChannel, type Reply } from './wire.js';

export interface RequestServerOptions {
  gateway: string;
  depthLimit: number;
  handlers: RequestHandlers;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

/**
 * Which of several Redis holds a request: it follows from the id, so that equal requests meet. Requests that no compute node takes are
 * all on the first.
 */
export const placeOf = (id: string, queue: QueueName, servers: number): number =>
  queues[queue].role === 'compute' ? Buffer.from(id.slice(0, 8), 'base64url').readUInt32BE() % servers : 0;

/** One Redis with queues, claims and results of requests, as a gateway uses it. */
export class RequestServer {
  readonly redis: Redis;
  readonly clock: RedisClock;
  readonly #clients: ReadonlyMap<QueueName, QueueClient>;
  readonly #replies: ChannelListener;

  private constructor(redis: Redis, replies: Redis, options: RequestServerOptions) {
    this.redis = redis;
    this.clock = new RedisClock(redis);
    const shared = { ...options, redis, results: new ResultStore(redis, 0) };
    this.#clients = new Map(queueNames.map((name) => [name, new QueueClient({ name, ...shared })]));
    this.#replies = new ChannelListener(replies, {
      channel: replyChannel(options.gateway),
      onMessage: (message) => {
        for (const reply of decodeReplies(message)) {
          const request = this.#find(reply);
          if (request) options.handlers.receive(reply, request);
        }
      },
      onMissed: () => undefined,
    });
  }

  /** Connects, and resolves when jobs can be sent. Throws what the connection throws. */
  static async open(url: string, options: RequestServerOptions): Promise<RequestServer> {
    const { metrics, tracing } = options;
    const redis = openRedis(url, failFast, metrics, tracing);
    // A BullMQ queue asks for the server's version when it is created. When that fails, the queue never recovers.
    await connected(redis);
    const server = new RequestServer(redis, openRedis(url, patient, metrics), options);
    try {
      await awaitRedis(Promise.all([...server.#clients.values()].map((each) => each.ready())));
      await Promise.all([server.clock.read(), server.#replies.subscribed]);
    } catch (error) {
      await server.close(error as AppError);
      throw error;
    }
    redis.on('ready', () => server.check(0));
    return server;
  }

  client(queue: QueueName): QueueClient {
    return this.#clients.get(queue)!;
  }

  /** Checks the batches that were sent at least `ageMs` ago. */
  check(ageMs: number): void {
    for (const client of this.#clients.values()) void client.check(ageMs);
  }

  async depths(): Promise<MetricSample[]> {
    return (await Promise.all([...this.#clients.values()].map((client) => client.depths()))).flat();
  }

  /** Ends all requests with this error, and cancels their jobs. */
  async refuseAll(error: AppError): Promise<void> {
    await Promise.allSettled([...this.#clients.values()].map((client) => client.refuseAll(error)));
  }

  /** Refuses all requests and disconnects. */
  async close(error: AppError): Promise<void> {
    this.clock.close();
    await Promise.allSettled([...this.#clients.values()].map((client) => client.close(error)));
    this.redis.disconnect();
    this.#replies.close();
  }

  #find({ batch, index }: Reply): PendingRequest | undefined {
    for (const client of this.#clients.values()) {
      const request = client.find(batch, index);
      if (request) return request;
    }
    return undefined;
  }
}
