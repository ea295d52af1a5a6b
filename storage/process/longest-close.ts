import type { Settings } from './settings.js';

/** How long a role may take to end after SIGTERM: a gateway first keeps serving for LEAVE_MS. */
export const longestCloseMs = ({ LEAVE_MS }: Pick<Settings, 'LEAVE_MS'>): number => LEAVE_MS + 25_000;
