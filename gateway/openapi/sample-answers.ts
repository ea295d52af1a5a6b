import { readFileSync } from 'node:fs';
import { asset } from '../../storage/process/asset.js';

const file = asset('gateway/openapi/sample-answers.json');

let samples: Readonly<Record<string, unknown>> | undefined;

/**
 * An answer of a real run to this method and path of the document, with long lists cut short; undefined for a new operation.
 * `npm run samples` records them.
 */
export function sampleAnswer(method: string, path: string): unknown {
  samples ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  return samples[`${method} ${path}`];
}
