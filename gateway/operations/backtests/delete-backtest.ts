import { runDeletion } from './run-deletion.js';

/** Deletes a stored backtest of the user. */
export const deleteBacktest = runDeletion('builtIn', 'delete-backtest', 'Deletes a stored backtest.');
