/** A role that meets an unexpected error at the first message, and reports its end. */
import { runRole } from '../../../storage/process/role.js';

await runRole('failing', ({ report }) => {
  process.once('message', () => void Promise.reject(new Error('not expected')));
  return Promise.resolve({ close: () => Promise.resolve(report('closing')) });
});
