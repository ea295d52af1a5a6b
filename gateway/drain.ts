import type { Server } from 'node:http';
import { AppError } from '../compute/model/errors.js';
import type { JobClient } from '../jobs/requests/job-client.js';

const defaultLimitMs = 20_000;

/** How long before the limit requests that still wait for a job are refused, so that their answers can be sent. */
const refusalMs = 1_000;

/**
 * Stops accepting connections and waits up to `limitMs` for running requests to finish. Those that still wait for a job then
 * are answered with `gateway_closing`, also in event streams; connections that are left are closed.
 */
export async function drain(
  server: Server,
  queues: Pick<JobClient, 'refuseAll'>,
  limitMs = defaultLimitMs,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection becomes idle only after its last answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const refusal = setTimeout(() => {
    void queues.refuseAll(new AppError('gateway_closing', 'this gateway is closing; ask again'));
  }, limitMs - refusalMs);
  const rest = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(idle);
  clearTimeout(refusal);
  clearTimeout(rest);
}
