import type { Route } from './route.js';

const withBody = new Set(['POST', 'PUT', 'PATCH']);

/** Whether requests of a method carry their fields in a body; all others carry them in path and query. */
export const carriesBody = (method: string): boolean => withBody.has(method);

/** Whether requests of a route do. Partners repeat the id of a signal in the body of a DELETE, too. */
export const routeCarriesBody = ({ method, surface }: Pick<Route, 'method' | 'surface'>): boolean =>
  carriesBody(method) || (surface === 'partner' && method === 'DELETE');
