import { routeTable } from '../routes/table.js';
import type { Route } from '../routes/route.js';
import { carriesBody } from '../routes/carries-body.js';
import { operationId } from './operation-id.js';

/**
 * The OpenAPI links of a route: the routes, on the same surface, of the operations that can be called next, with runtime
 * expressions for the input that is known from this route.
 */
export function linksOf(route: Route): Record<string, object> {
  const links = (route.operation.leadsTo ?? []).flatMap(({ to, fields }) =>
    routeTable
      .filter(({ operation, surface }) => operation.id === to && surface === route.surface)
      .map((next) => [operationId(next), linkTo(next, fields, route)] as const),
  );
  return Object.fromEntries(links);
}

function linkTo(next: Route, fields: Readonly<Record<string, string>>, from: Route): object {
  const known = Object.entries(fields).map(([name, found]) => [name, expression(found, from)] as const);
  const isInPath = ([name]: readonly [string, string]) => next.path.split('/').includes(`:${name}`);
  const asBody = carriesBody(next.method);
  const parameters = known.filter((field) => !asBody || isInPath(field));
  const body = known.filter((field) => asBody && !isInPath(field));
  return {
    operationId: operationId(next),
    ...(parameters.length > 0 ? { parameters: Object.fromEntries(parameters) } : {}),
    ...(body.length > 0 ? { requestBody: Object.fromEntries(body) } : {}),
  };
}

/** `payload/a/0` or `input/a` as an OpenAPI runtime expression. */
function expression(found: string, from: Route): string {
  const [, part, pointer] = /^(payload|input)\/(.+)$/.exec(found)!;
  if (part === 'payload') return `$response.body#/${from.surface === 'signed' ? '' : 'payload/'}${pointer}`;
  return carriesBody(from.method) ? `$request.body#/${pointer}` : `$request.query.${pointer}`;
}
