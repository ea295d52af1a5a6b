const withBody = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Whether requests of a method carry their fields in a body; all others carry them in path and query. Partners repeat the id
 * of a signal in the body of a DELETE, too.
 */
export const carriesBody = (method: string, surface?: string): boolean =>
  withBody.has(method) || (surface === 'partner' && method === 'DELETE');
