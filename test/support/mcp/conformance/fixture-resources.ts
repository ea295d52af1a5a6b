import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import { redPixel } from './test-media.js';

/** The resources that the conformance suite reads. */
export const fixtureResources: readonly Resource[] = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
];

export const fixtureTemplates = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
];

/** A resource of the suite; null for any other. */
export function readFixture(uri: string): ReadResourceResult | null {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  const listed = fixtureResources.find((each) => each.uri === uri);
  if (!listed) return null;
  const { name, mimeType = '' } = listed;
  const content = mimeType === 'image/png' ? { blob: redPixel } : { text: `The content of ${name}.` };
  return { contents: [{ uri, mimeType, ...content }] };
}
