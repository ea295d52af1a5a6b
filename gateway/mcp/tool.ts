import type { ResourceLink } from '@modelcontextprotocol/server';
import type { Interval } from '../../compute/model/interval.js';
import type { Operation } from '../operation.js';
import { jsonSchemaOf, type JsonSchema } from '../openapi/json-schema.js';
import { snakeCase, snakeCaseSchema } from './key-case.js';
import { listingNamed, type ToolListing } from './catalogue.js';

/** What a tool says of itself. */
interface ToolDescription<Input, Output extends object> {
  name: string;
  operation: Operation<Input, Output>;
  /** Arguments that the operation names differently, by the field of its input. Default: none. */
  argumentNames?: Readonly<Record<string, string>>;
  /** The operation's input from the checked arguments, whose names are in camelCase already. Default: renamed by `argumentNames`. */
  input?: (args: Record<string, unknown>) => Record<string, unknown>;
  /** The answer in one or two sentences; the first line of the text. */
  headline: (payload: Output, args: Record<string, unknown>) => string;
  /** The interval of the candles, where the payload does not say it. */
  interval?: Interval | undefined;
  /** How long an answer is current after its time, where that does not follow from its candles. */
  staleAfterMs?: number | undefined;
  /** Links to more data than the answer holds, such as all trades of a backtest. Default: none. */
  links?: (payload: Output) => ResourceLink[];
  /** False where indicators lack the history for their usual warm-up. Default: always true. */
  isWarm?: (payload: Output) => boolean;
}

type Usual = 'argumentNames' | 'input' | 'links' | 'isWarm';

/**
 * A tool as it is published and called: its entry in the list and the operation that answers it. Everything else follows:
 * arguments are checked by the catalogue's schema and renamed to the operation's input, and the payload becomes structured
 * content with names in snake_case and lists of objects as tables (answers/structured-form.ts).
 */
export type Tool = Omit<ToolDescription<unknown, object>, 'name' | Usual> &
  Required<Pick<ToolDescription<unknown, object>, Usual>> & { listing: ToolListing };

/** Checks the types of the description and finds its entry in the catalogue. */
export function defineTool<Input, Output extends object>(description: ToolDescription<Input, Output>): Tool {
  const listing = listingNamed(description.name);
  if (!listing) throw new Error(`the catalogue has no tool "${description.name}"`);
  return toolOf(listing, description);
}

/** What an extension publishes. Its arguments are those of its operation, and it changes nothing, unless it says otherwise. */
type ExtensionDescription<Input, Output extends object> = Pick<
  ToolListing,
  'title' | 'description' | 'scope' | 'toolset'
> &
  Partial<Pick<ToolListing, 'annotations'>> & { inputSchema?: JsonSchema } & ToolDescription<Input, Output>;

/** A tool of `extensions.ts`, with its own entry in the list of tools. */
export function defineExtension<Input, Output extends object>({
  title,
  description,
  scope,
  toolset,
  inputSchema,
  annotations = reads,
  ...tool
}: ExtensionDescription<Input, Output>): Tool {
  const schema = inputSchema ?? snakeCaseSchema(jsonSchemaOf(tool.operation.input));
  const listing = { name: tool.name, title, description, scope, toolset, annotations };
  return toolOf({ ...listing, inputSchema: { ...schema, properties: schema.properties ?? {} } }, tool);
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

function toolOf<Input, Output extends object>(
  listing: ToolListing,
  { name: _name, argumentNames = {}, ...description }: ToolDescription<Input, Output>,
): Tool {
  return {
    input: (args: Record<string, unknown>) => renamed(args, argumentNames),
    links: () => [],
    isWarm: () => true,
    // The input reaches the operation only through its own schema, and the payload comes from it.
    ...(description as unknown as Omit<ToolDescription<unknown, object>, 'name'>),
    listing,
    argumentNames: Object.fromEntries(
      Object.entries(argumentNames).map(([field, argument]) => [field, snakeCase(argument)]),
    ),
  };
}

/** The given arguments under the names of the operation's input. */
function renamed(
  args: Record<string, unknown>,
  argumentNames: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const fieldOf = new Map(Object.entries(argumentNames).map(([field, argument]) => [argument, field]));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [fieldOf.get(name) ?? name, value]));
}
