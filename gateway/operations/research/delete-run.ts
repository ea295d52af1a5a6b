import { runDeletion } from '../backtests/run-deletion.js';

/** Deletes a stored run of rules of the user. */
export const deleteRun = runDeletion('research', 'delete-run', 'Deletes a stored run of your own rules.');
