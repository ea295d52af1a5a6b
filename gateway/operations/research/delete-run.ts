import { runDeletion } from '../backtests/run-deletion.js';

export const deleteRun = runDeletion('research', 'delete-run', 'Deletes a stored run of your own rules.');
