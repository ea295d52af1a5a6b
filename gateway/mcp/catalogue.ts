import { readFileSync } from 'node:fs';
import { asset } from '../../storage/process/asset.js';
import type { TokenScope } from '../../storage/users/token-scopes.js';
import type { JsonSchema } from '../openapi/json-schema.js';
import { toolsetOfTitle, type ToolsetName } from './toolsets.js';

/** Behaviour of a tool that clients may show or act on, as the protocol names it. */
interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A tool as it is published: its name, the words for models, its arguments, and who may call it. */
export interface ToolListing {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { properties: Record<string, JsonSchema> };
  annotations: ToolAnnotations;
  /** The scope that a token needs to call the tool; a public tool needs no token. */
  scope: 'public' | TokenScope;
  toolset: ToolsetName;
}

type StoredListing = Omit<ToolListing, 'scope' | 'toolset'> & {
  _meta: { scope: ToolListing['scope']; toolset: string };
};

/** The file is data for clients. */
const file = asset('gateway/mcp/catalogue.json');

/** Every published tool, in the order in which clients see them. */
export const catalogue: readonly ToolListing[] = (
  JSON.parse(readFileSync(file, 'utf8')) as StoredListing[]
).map(({ _meta, ...listing }) => ({
  ...listing,
  inputSchema: { ...listing.inputSchema, properties: listing.inputSchema.properties ?? {} },
  scope: _meta.scope,
  toolset: toolsetOfTitle(_meta.toolset),
}));

const byName = new Map(catalogue.map((listing) => [listing.name, listing]));

/** The published tool of that name; undefined for an unknown name. */
export const listingNamed = (name: string): ToolListing | undefined => byName.get(name);
