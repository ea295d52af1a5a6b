import type { paths } from '#schema';

type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A path of the service as its OpenAPI document writes it, after a method: `GET /backend/backtests/{id}`. */
export type RouteName = {
  [P in keyof paths]: `${Uppercase<keyof paths[P] & HttpMethod>} ${P}`;
}[keyof paths];

type OperationOf<R extends RouteName> = R extends `${infer M} ${infer P extends keyof paths}`
  ? paths[P][Lowercase<M> & keyof paths[P]]
  : never;

type Fields<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;

type BodyOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer Json } }
    ? // A body without fields.
      Json extends Record<string, never>
      ? unknown
      : Json
    : unknown
  : unknown;

/** What goes to a route: parts of its path, its query or its body, all in one. */
export type RouteInput<R extends RouteName> =
  OperationOf<R> extends { parameters: { path?: infer Path; query?: infer Query } }
    ? Fields<Path> & Fields<Query> & BodyOf<OperationOf<R>>
    : never;

/** What comes from a route, without the envelope. */
export type RoutePayload<R extends RouteName> =
  OperationOf<R> extends { responses: { 200: { content: { 'application/json': { payload: infer P } } } } }
    ? P
    : never;
