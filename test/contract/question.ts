import { documentPath } from '../../gateway/openapi/document-path.js';
import { routeTable } from '../../gateway/routes/table.js';
import { signatureOf } from '../support/gateway/signed.js';
import type { GatewayName, Scene } from './scene.js';

/** How an operation is asked, as far as it is not as usual: of the open gateway, by who may ask it. */
export interface Question {
  of?: GatewayName;
  /** What stands for the parameters of the path. */
  place?: Record<string, string>;
  query?: Record<string, string>;
  /** Text goes as it is, all else as JSON. */
  body?: unknown;
  /** A session token; null: none, and no signature. */
  token?: string | null;
  headers?: Record<string, string>;
}

/** An answer with its headers and what its body holds: undefined where there is none. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Asks the operation of a method and a path of the document. */
export async function send(
  { urls, tokens, partner }: Scene,
  { method, path }: { method: string; path: string },
  { of = 'open', place = {}, query = {}, body: given, token, headers = {} }: Question,
): Promise<Answer> {
  const concrete = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(place[name] ?? 'NOPE'));
  const target =
    concrete + (Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : '');
  const body = given === undefined || typeof given === 'string' ? given : JSON.stringify(given);
  const route = routeTable.find((each) => each.method === method && documentPath(each.path) === path);
  const proofs =
    token === null
      ? {}
      : route?.surface === 'partner'
        ? partner.headers
        : route?.surface === 'signed'
          ? signatureOf({ method, target, body: body ?? '' })
          : { 'session-token': token ?? tokens[route?.operation.scope === 'operator' ? 'operator' : 'user'] };
  const answer = await fetch(urls[of] + target, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...proofs, ...headers },
    ...(body === undefined ? {} : { body }),
    // Browsers are sent to other hosts.
    redirect: 'manual',
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? undefined : isJson(answer) ? (JSON.parse(text) as unknown) : text,
  };
}

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true;
