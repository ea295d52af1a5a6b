import type { Route } from '../routes/route.js';

/** Unique over methods: an operation may be asked with several. */
export const operationId = ({ method, operation }: Pick<Route, 'method' | 'operation'>): string =>
  `${operation.id}-${method.toLowerCase()}`;
