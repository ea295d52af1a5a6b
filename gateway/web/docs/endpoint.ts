import { documentPath } from '../../openapi/document-path.js';
import { exampleOf, type JsonSchema } from '../../openapi/json-schema.js';
import { sampleAnswer } from '../../openapi/path-item.js';
import type { Route } from '../../routes/route.js';
import { html, type Html } from '../html.js';
import { exampleBox } from './example-box.js';
import { fieldCount, fieldTable } from './field-table.js';
import { requestExamples } from './request-examples.js';

/** The parts of an operation in the OpenAPI document that the page uses. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  responses: Record<string, { description: string }>;
}

/** What another section of the page says already. */
export interface SaidElsewhere {
  /** Whether POST asks the same, which is described. */
  isTwin: boolean;
  /** The first endpoint that takes the same fields; null: none, or few. */
  sameFields: { id: string; name: string } | null;
}

/** Answers of more fields are folded. */
const mostOpenFields = 12;

/** The section of one route. `base` is the service's address in the example. */
export const endpoint = (
  { method, path, surface, operation }: Route,
  described: DescribedOperation,
  schemas: { input: JsonSchema; output: JsonSchema },
  base: string,
  { isTwin, sameFields }: SaidElsewhere,
): Html => {
  const examples = exampleBox(
    requestExamples({ method, path, surface, scope: operation.scope }, exampleOf(schemas.input), base),
  );
  if (isTwin)
    return endpointSection(
      { method, path },
      described,
      html`<p>As POST, with the fields in the query; the answer is the same.</p>
        ${examples}`,
    );
  return endpointSection(
    { method, path },
    described,
    html`<h3>Request</h3>
      ${
        sameFields
          ? html`<p>The same fields as <a href="#${sameFields.id}">${sameFields.name}</a>.</p>`
          : fieldTable(schemas.input, 'request')
      }
      ${examples}
      <details ${fieldCount(schemas.output) > mostOpenFields ? '' : html`open`}>
        <summary>Answer</summary>
        <p>
          ${surface === 'signed' ? 'Fields of the answer, which has no envelope; all are always present.' : 'Fields of payload; all are always present.'}
        </p>
        ${fieldTable(schemas.output, 'answer')}
      </details>
      ${sampleOf(method, path)}`,
  );
};

/** A section with what an endpoint takes and answers, and its statuses. */
export const endpointSection = (
  { method, path }: { method: string; path: string },
  { operationId, summary, description = '', responses }: DescribedOperation,
  content: Html,
): Html =>
  html`<section class="endpoint" id="${operationId}">
    <h2>
      <span class="name"><span class="method">${method}</span> <code>${path}</code></span>
      <a class="anchor" href="#${operationId}" aria-label="Link to ${method} ${path}">#</a>
    </h2>
    <p>${summary} ${description}</p>
    ${content}
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

/** An answer of a real run. */
function sampleOf(method: string, path: string): Html {
  const sample = sampleAnswer(method, documentPath(path));
  if (sample === undefined) return html``;
  return html`<details>
    <summary>Sample answer</summary>
    <p>Of a real run; long lists are cut short.</p>
    <pre tabindex="0"><code>${JSON.stringify(sample, null, 1)}</code></pre>
  </details>`;
}
