import type { Route } from '../routes/route.js';

const parameter = /:(\w+)/g;

/** A path of the route table in OpenAPI's syntax: `/a/:id` becomes `/a/{id}`. */
export const documentPath = (path: string): string => path.replace(parameter, '{$1}');

/** The names of a path's parameters, in order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(parameter)].map(([, name]) => name);

/** The path with its parameters replaced by values. */
export const filledPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(parameter, (_, name: string) => encodeURIComponent(String(values[name])));

/** The id of a route's operation with its method, because an operation may have routes with several methods. */
export const operationId = ({ method, operation }: Pick<Route, 'method' | 'operation'>): string =>
  `${operation.id}-${method.toLowerCase()}`;
