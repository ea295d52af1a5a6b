import type { RunOptions } from '../../jobs/requests/job-client.js';
import type { Caller } from '../context.js';

/** How the job of an operation runs for a caller: for its user or address, while it is connected, with progress if wanted. */
export const runOptions = (caller: Caller): RunOptions => ({
  traceId: caller.requestId,
  owner: caller.user?.userId ?? caller.address,
  // Read only when the job is waited for, because reading it takes the request out of those in hand.
  get signal() {
    return caller.signal;
  },
  ...(caller.onProgress ? { onProgress: caller.onProgress } : {}),
});
