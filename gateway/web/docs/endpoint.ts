import { carriesBody } from '../../routes/carries-body.js';
import { filledPath, parametersOf } from '../../openapi/document-path.js';
import { exampleOf, type JsonSchema } from '../../openapi/json-schema.js';
import type { Surface, Route } from '../../routes/route.js';
import { html, type Html } from '../html.js';
import { fieldTable } from './field-table.js';

/** The parts of an operation in the OpenAPI document that the page uses. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  responses: Record<string, { description: string }>;
}

/** The section of one route. `base` is the service's address in the example. */
export function endpoint(
  { method, path, surface, operation }: Route,
  { operationId, summary, description = '', responses }: DescribedOperation,
  schemas: { input: JsonSchema; output: JsonSchema },
  base: string,
): Html {
  return html`<section class="endpoint" id="${operationId}">
    <h3><span class="method">${method}</span> <code>${path}</code></h3>
    <p>${summary} ${description}</p>
    <h4>Request</h4>
    ${fieldTable(schemas.input, 'request')}
    <pre
      tabindex="0"
    ><code>${curl({ method, path, surface, scope: operation.scope }, exampleOf(schemas.input), base)}</code></pre>
    <details>
      <summary>Answer</summary>
      <p>
        ${surface === 'envelope' ? 'Fields of payload; all are always present.' : 'Fields of the answer, which has no envelope; all are always present.'}
      </p>
      ${fieldTable(schemas.output, 'answer')}
    </details>
    <details>
      <summary>Statuses</summary>
      <dl>
        ${Object.entries(responses).map(
          ([status, each]) =>
            html`<dt>${status}</dt>
              <dd>${each.description}</dd>`,
        )}
      </dl>
    </details>
  </section>`;
}

interface ExampleRequest {
  method: string;
  path: string;
  surface: Surface;
  scope: string;
}

/** A curl command that sends the example. */
function curl(
  { method, path, surface, scope }: ExampleRequest,
  example: Record<string, unknown>,
  base: string,
): string {
  const inPath = new Set(parametersOf(path));
  const rest = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.has(name)));
  const hasBody = carriesBody(method);
  const query = hasBody ? '' : new URLSearchParams(rest as Record<string, string>).toString();
  const parts = [
    `curl${method === 'GET' || (method === 'POST' && hasBody) ? '' : ` -X ${method}`} '${base}${filledPath(path, example)}${query === '' ? '' : `?${query}`}'`,
    ...(surface === 'signed' ? [`-H "x-timestamp: $TIMESTAMP"`, `-H "x-signature: $SIGNATURE"`] : []),
    ...(surface === 'envelope' && scope !== 'public' ? [`-H "session-token: $TOKEN"`] : []),
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(rest)}'`] : []),
  ];
  return parts.join(' \\\n  ');
}
