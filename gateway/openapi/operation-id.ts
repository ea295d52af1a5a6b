import type { Route } from '../routes/route.js';

/** The id of a route's operation with its method, because an operation may have routes with several methods. */
export const operationId = ({ method, operation }: Pick<Route, 'method' | 'operation'>): string =>
  `${operation.id}-${method.toLowerCase()}`;
