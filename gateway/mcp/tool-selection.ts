import { type AppError, fieldError } from '../../compute/model/errors.js';
import { didYouMean, nearestNames } from '../../compute/model/nearest-names.js';
import { listingNamed, type ToolListing } from './catalogue.js';
import { coreTools, toolsetNames } from './toolsets.js';

/** The tools that a client sees, and how much of them and of their answers. */
export interface ToolSelection {
  /** Whether the client sees the tool. A tool that is not listed can still be called. */
  isListed: (listing: ToolListing) => boolean;
  /** `minimal`: answers without details; `full`: the list with titles, all hints and the schemas of the answers. */
  fields: ToolFields;
}

const fieldChoices = ['', 'all', 'minimal', 'full'] as const;

type ToolFields = (typeof fieldChoices)[number];

const known = ['all', 'core', ...toolsetNames];

/**
 * Reads `toolsets` (`core`, `all` with the extensions, or names of toolsets separated by commas; by default all agreed tools) and
 * `fields` (`minimal` or `full`) from the query, or from the
 * headers `x-mcp-toolsets` and `x-mcp-fields`. Throws `invalid_input` for unknown names.
 */
export function readToolSelection(query: URLSearchParams, header: (name: string) => string): ToolSelection {
  const toolsets = query.get('toolsets') ?? header('x-mcp-toolsets');
  const given = query.get('fields') ?? header('x-mcp-fields');
  const fields = fieldChoices.find((each) => each === given);
  if (fields === undefined) {
    throw fieldError('fields', `"fields" must be minimal or full, found "${given.slice(0, 60)}"`);
  }
  return { isListed: listedIn(toolsets), fields };
}

function listedIn(toolsets: string): ToolSelection['isListed'] {
  const wanted = toolsets
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const unknown = wanted.find((each) => !known.includes(each));
  if (unknown !== undefined) throw unknownToolset(unknown.slice(0, 60));
  if (wanted.length === 0) return ({ name }) => listingNamed(name) !== undefined;
  return ({ name, toolset }) =>
    wanted.includes('all') || wanted.includes(toolset) || (wanted.includes('core') && coreTools.has(name));
}

function unknownToolset(name: string): AppError {
  const meant = didYouMean(nearestNames(name, known)) || `; the toolsets are ${known.join(', ')}`;
  return fieldError('toolsets', `"${name}" is no toolset${meant}`);
}
