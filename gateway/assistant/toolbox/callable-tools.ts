import type { TokenScope } from '../../../storage/users/token-scopes.js';
import type { Tool } from '../../mcp/tool.js';
import { tools } from '../../mcp/tools.js';

/** Tools that the assistant never calls: those that ask the assistant, and those that read its conversations. */
const isOfAssistant = ({ listing }: Tool): boolean =>
  listing.toolset === 'assistant' || listing.name === 'ask_guest_assistant';

const byScopes = new Map<string, ReadonlyMap<string, Tool>>();

/** The tools that the assistant may call for a caller with these scopes: the public ones, and those that a scope opens. */
export function callableTools(scopes: ReadonlySet<TokenScope>): ReadonlyMap<string, Tool> {
  const key = [...scopes].sort().join(' ');
  const known = byScopes.get(key);
  if (known) return known;
  const callable = new Map(
    tools
      .filter((tool) => !isOfAssistant(tool))
      .filter(({ listing }) => listing.scope === 'public' || scopes.has(listing.scope))
      .map((tool) => [tool.listing.name, tool]),
  );
  byScopes.set(key, callable);
  return callable;
}
