/** Whether requests of a method carry their fields in a body; all others carry them in path and query. */
export const carriesBody = (method: string): boolean => method === 'POST' || method === 'PUT';
