import type { RunOptions } from '../../jobs/requests/job-client.js';
import type { Caller } from '../context.js';

/** How the job of an operation runs for a caller: for its user or address, while it is connected, with progress if wanted. */
export const runOptions = ({ requestId, user, address, signal, onProgress }: Caller): RunOptions => ({
  traceId: requestId,
  owner: user?.userId ?? address,
  signal,
  ...(onProgress ? { onProgress } : {}),
});
