import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../openapi/json-schema.js';
import { formOf } from './call-tool.js';
import type { ToolListing } from './catalogue.js';
import type { Tool } from './tool.js';
import { toolsetTitle } from './toolsets.js';
import { onceFor } from '../../storage/process/once.js';

/**
 * A tool as tools/list shows it: what a model needs to choose and call it, without what its name says already, so that the
 * list of all tools stays below 40 KB. The checks of arguments do not depend on it.
 */
export const briefListing = onceFor(({ listing }: Tool) => {
  const { name, description, inputSchema, annotations, ...access } = listing;
  return {
    name,
    description,
    inputSchema: without(inputSchema, saysNothing),
    // For a tool that changes nothing the other hints mean nothing.
    annotations: annotations.readOnlyHint ? { readOnlyHint: true } : annotations,
    ...accessOf(access),
  } as ListedTool;
});

/** The tool with title, all hints, every word on its arguments, and the schema of its answers. */
export const fullListing = onceFor((tool: Tool) => {
  const { scope, toolset, ...listing } = tool.listing;
  return {
    ...listing,
    // Programs check answers by it: sentences would only make the list long.
    outputSchema: without(formOf(tool).outputSchema, (keyword) => wordy.has(keyword)),
    ...accessOf({ scope, toolset }),
  } as ListedTool;
});

const wordy = new Set(['description', 'examples', 'default']);

/** Who may call a tool, as this service and as other hosts of tools write it. */
const accessOf = ({ scope, toolset }: Pick<ToolListing, 'scope' | 'toolset'>) => ({
  securitySchemes: [scope === 'public' ? { type: 'noauth' } : { type: 'oauth2', scopes: [scope] }],
  _meta: { scope, toolset: toolsetTitle(toolset) },
});

/** Whether the name of an argument or its other keywords say the same. */
const saysNothing = (keyword: string, value: unknown): boolean =>
  ['additionalProperties', 'pattern'].includes(keyword) ||
  // Whole objects show a model how to write its own.
  (keyword === 'examples' && typeof (value as unknown[])[0] !== 'object') ||
  (keyword === 'minimum' && value === 1) ||
  (keyword === 'description' &&
    /^(Base symbol|Candle interval$|Quote currency$|Max rows)/.test(String(value)));

/** The schema without the keywords that are dropped. `areNames`: the keys of this object are names of fields, not keywords. */
function without(
  value: unknown,
  isDropped: (keyword: string, value: unknown) => boolean,
  areNames = false,
): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, isDropped));
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value as JsonSchema).filter(
    ([keyword, each]) => areNames || !isDropped(keyword, each),
  );
  return Object.fromEntries(
    left.map(([keyword, each]) => [keyword, without(each, isDropped, !areNames && keyword === 'properties')]),
  );
}
