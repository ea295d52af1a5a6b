import { filledPath, parametersOf } from '../../openapi/document-path.js';
import { carriesBody } from '../../routes/carries-body.js';
import type { Surface } from '../../routes/route.js';

export interface ExampleRequest {
  method: string;
  path: string;
  surface: Surface;
  scope: string;
}

/** A shell command that sends an example; it takes a session from `TOKEN` and the secret of a signature from `SECRET`. */
export function curlExample(
  { method, path, surface, scope }: ExampleRequest,
  example: Record<string, unknown>,
  base: string,
): string {
  const inPath = new Set(parametersOf(path));
  const rest = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.has(name)));
  const hasBody = carriesBody(method);
  const query = hasBody ? '' : new URLSearchParams(rest as Record<string, string>).toString();
  const target = `${filledPath(path, example)}${query === '' ? '' : `?${query}`}`;
  const body = hasBody ? JSON.stringify(rest) : '';
  const isPlain = method === 'GET' || (method === 'POST' && hasBody);
  const command = [
    `curl${isPlain ? '' : ` -X ${method}`} '${base}${target}'`,
    ...(surface === 'signed' ? [`-H "x-timestamp: $TIMESTAMP"`, `-H "x-signature: $SIGNATURE"`] : []),
    ...(surface === 'envelope' && scope !== 'public' ? [`-H "session-token: $TOKEN"`] : []),
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d '${body}'`] : []),
  ].join(' \\\n  ');
  return surface === 'signed' ? `${signing(method, target, body)}\n${command}` : command;
}

/** Sets TIMESTAMP and SIGNATURE. */
const signing = (method: string, target: string, body: string): string => `TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s' "$TIMESTAMP" ${method} '${target}' '${body}' |
  openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`;
