/** Whether requests of a method bring their fields in a body; those of all others bring them in path and query. */
export const carriesBody = (method: string): boolean => method === 'POST' || method === 'PUT';
