import type { RunOptions } from '../../jobs/requests/job-client.js';
import type { Caller } from '../context.js';

/** How the job of an operation runs for a caller: for its user or address, while it is connected, with progress if wanted. */
export const runOptions = (caller: Caller): RunOptions => ({
  traceId: caller.requestId,
  owner: caller.user?.userId ?? caller.address,
  // Read on use: a result that is known already is not waited for.
  get signal() {
    return caller.signal;
  },
  ...(caller.onProgress ? { onProgress: caller.onProgress } : {}),
});
