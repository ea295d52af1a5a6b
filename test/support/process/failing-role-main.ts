/** A role that meets an error that nobody expects, as soon as it is told to. */
import { runRole } from '../../../storage/process/role.js';

await runRole('failing', () => {
  process.once('message', () => void Promise.reject(new Error('not expected')));
  return Promise.resolve({ close: () => Promise.resolve() });
});
