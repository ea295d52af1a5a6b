import { filledPath, parametersOf } from '../../openapi/document-path.js';
import { carriesBody } from '../../routes/carries-body.js';
import type { Surface } from '../../routes/route.js';

export interface ExampleRequest {
  method: string;
  path: string;
  surface: Surface;
  scope: string;
}

/**
 * A shell command that sends an example; it takes a session from `TOKEN`, the key of a partner from `KEY`, and its secret or
 * that of a signature from `SECRET`.
 */
export function curlExample(
  { method, path, surface, scope }: ExampleRequest,
  example: Record<string, unknown>,
  base: string,
): string {
  const inPath = new Set(parametersOf(path));
  const hasBody = carriesBody(method, surface);
  // Partners repeat the id of a signal in the body.
  const isRepeated = surface === 'partner' && hasBody;
  const rest = Object.fromEntries(
    Object.entries(example).filter(([name]) => isRepeated || !inPath.has(name)),
  );
  const query = hasBody ? '' : new URLSearchParams(rest as Record<string, string>).toString();
  const target = `${filledPath(path, example)}${query === '' ? '' : `?${query}`}`;
  const body = hasBody ? JSON.stringify(rest) : '';
  const isPlain = method === 'GET' || (method === 'POST' && hasBody);
  const command = [
    `curl${isPlain ? '' : ` -X ${method}`} '${base}${target}'`,
    ...(surface === 'signed' ? [`-H "x-timestamp: $TIMESTAMP"`, `-H "x-signature: $SIGNATURE"`] : []),
    ...(surface === 'partner' ? [`-H "svc-api-key: $KEY"`, `-H "svc-api-secret: $SECRET"`] : []),
    ...(surface === 'envelope' && scope !== 'public' ? [`-H "session-token: $TOKEN"`] : []),
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d '${body}'`] : []),
  ].join(' \\\n  ');
  return surface === 'signed' ? `${signing(method, target, body)}\n${command}` : command;
}

/** Sets TIMESTAMP and SIGNATURE. */
const signing = (method: string, target: string, body: string): string => `TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s' "$TIMESTAMP" ${method} '${target}' '${body}' |
  openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`;
