import { filledPath, parametersOf } from '../../openapi/document-path.js';
import { carriesBody } from '../../routes/json-body.js';
import type { Surface } from '../../routes/route.js';

interface ExampleRoute {
  method: string;
  path: string;
  surface: Surface;
  scope: string;
}

interface ExampleRequest {
  method: string;
  base: string;
  /** Path and query. */
  target: string;
  /** JSON; null: none. */
  body: string | null;
  isSigned: boolean;
  /** Headers, each from a variable of the environment. */
  secrets: Readonly<Record<string, string>>;
}

/**
 * Programs that send an example. They take a session from `TOKEN`, the key of a partner from `KEY`, and its secret or that of
 * a signature from `SECRET`.
 */
export function requestExamples(
  { method, path, surface, scope }: ExampleRoute,
  example: Record<string, unknown>,
  base: string,
): Record<'curl' | 'TypeScript' | 'Python', string> {
  const inPath = new Set(parametersOf(path));
  const hasBody = carriesBody(method, surface);
  // Partners repeat the id of a signal in the body.
  const isRepeated = surface === 'partner' && hasBody;
  const rest = Object.fromEntries(
    Object.entries(example).filter(([name]) => isRepeated || !inPath.has(name)),
  );
  const query = hasBody ? '' : new URLSearchParams(rest as Record<string, string>).toString();
  const request: ExampleRequest = {
    method,
    base,
    isSigned: surface === 'signed',
    target: `${filledPath(path, example)}${query === '' ? '' : `?${query}`}`,
    body: hasBody ? JSON.stringify(rest) : null,
    secrets: {
      ...(surface === 'partner'
        ? {
            'svc-api-key': 'KEY',
            'svc-api-secret': 'SECRET',
          }
        : {}),
      ...(surface === 'envelope' && scope !== 'public' ? { 'session-token': 'TOKEN' } : {}),
    },
  };
  return { curl: curl(request), TypeScript: typeScript(request), Python: python(request) };
}

function curl({ method, base, target, body, isSigned, secrets }: ExampleRequest): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== null);
  const command = [
    `curl${isPlain ? '' : ` -X ${method}`} '${base}${target}'`,
    ...(isSigned ? [`-H "x-timestamp: $TIMESTAMP"`, `-H "x-signature: $SIGNATURE"`] : []),
    ...Object.entries(secrets).map(([name, variable]) => `-H "${name}: $${variable}"`),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d '${body}'`]),
  ].join(' \\\n  ');
  if (!isSigned) return command;
  return `TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s' "$TIMESTAMP" ${method} '${target}' '${body ?? ''}' |
  openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')\n${command}`;
}

function typeScript({ method, base, target, body, isSigned, secrets }: ExampleRequest): string {
  const headers = [
    ...(body === null ? [] : [`'Content-Type': 'application/json'`]),
    ...Object.entries(secrets).map(([name, variable]) => `'${name}': process.env.${variable} ?? ''`),
    ...(isSigned ? [`'x-timestamp': timestamp`, `'x-signature': signature`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === null ? [] : [isSigned ? 'body' : `body: JSON.stringify(${body})`]),
  ];
  const more = options.length === 0 ? '' : `, {\n${options.map((each) => `  ${each},\n`).join('')}}`;
  const signing = `import { createHmac } from 'node:crypto';

const body = '${body ?? ''}';
const timestamp = String(Math.floor(Date.now() / 1_000));
const signature = createHmac('sha256', process.env.SECRET ?? '')
  .update([timestamp, '${method}', '${target}', body].join('\\n'))
  .digest('hex');
`;
  return `${isSigned ? signing : ''}const answer = await fetch('${base}${target}'${more});
console.log(await answer.text());`;
}

function python({ method, base, target, body, isSigned, secrets }: ExampleRequest): string {
  const headers = [
    ...(body === null ? [] : [`"Content-Type": "application/json"`]),
    ...Object.entries(secrets).map(([name, variable]) => `"${name}": os.environ["${variable}"]`),
    ...(isSigned ? [`"x-timestamp": timestamp`, `"x-signature": signature`] : []),
  ];
  const parts = [
    `"${base}${target}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === null ? [] : ['data=body.encode()']),
  ];
  const imports = [
    ...(isSigned ? ['import hashlib', 'import hmac'] : []),
    ...(body === null || isSigned ? [] : ['import json']),
    ...(isSigned || Object.keys(secrets).length > 0 ? ['import os'] : []),
    ...(isSigned ? ['import time'] : []),
    'import urllib.request',
  ];
  const signing = `body = '${body ?? ''}'
timestamp = str(int(time.time()))
lines = "\\n".join([timestamp, "${method}", "${target}", body])
signature = hmac.new(os.environ["SECRET"].encode(), lines.encode(), hashlib.sha256).hexdigest()
`;
  const given = body === null ? '' : `body = json.dumps(${pythonLiteral(JSON.parse(body))})\n`;
  return `${imports.join('\n')}

${isSigned ? signing : given}request = urllib.request.Request(
${parts.map((part) => `    ${part},\n`).join('')})
print(urllib.request.urlopen(request).read().decode())`;
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`)
    .join(', ')}}`;
}
