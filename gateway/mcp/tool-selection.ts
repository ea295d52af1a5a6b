import { AppError } from '../../compute/model/errors.js';
import { didYouMean, nearestNames } from '../../compute/model/nearest-names.js';
import { catalogue } from './catalogue.js';
import { coreTools, toolsetNames } from './toolsets.js';

/** The tools that a client sees, and whether its answers are minimal. */
export interface ToolSelection {
  /** Names of the listed tools. A tool that is not listed can still be called. */
  names: ReadonlySet<string>;
  isMinimal: boolean;
}

const allNames: ReadonlySet<string> = new Set(catalogue.map(({ name }) => name));

const known = ['all', 'core', ...toolsetNames];

/**
 * Reads `toolsets` (`core`, or names of toolsets separated by commas) and `fields=minimal` from the query, or from the
 * headers `x-mcp-toolsets` and `x-mcp-fields`. Throws `invalid_input` for unknown names.
 */
export function readToolSelection(query: URLSearchParams, header: (name: string) => string): ToolSelection {
  const toolsets = query.get('toolsets') ?? header('x-mcp-toolsets');
  const fields = query.get('fields') ?? header('x-mcp-fields');
  if (!['', 'all', 'minimal'].includes(fields)) {
    throw new AppError('invalid_input', `"fields" must be all or minimal, found "${fields.slice(0, 60)}"`, {
      details: { field: 'fields' },
    });
  }
  return { names: namesOf(toolsets), isMinimal: fields === 'minimal' };
}

function namesOf(toolsets: string): ReadonlySet<string> {
  const wanted = toolsets
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (wanted.length === 0 || wanted.includes('all')) return allNames;
  const unknown = wanted.find((each) => !known.includes(each));
  if (unknown !== undefined) throw unknownToolset(unknown.slice(0, 60));
  const isListed = ({ name, toolset }: (typeof catalogue)[number]) =>
    wanted.includes(toolset) || (wanted.includes('core') && coreTools.has(name));
  return new Set(catalogue.filter(isListed).map(({ name }) => name));
}

function unknownToolset(name: string): AppError {
  const meant = didYouMean(nearestNames(name, known)) || `; the toolsets are ${known.join(', ')}`;
  return new AppError('invalid_input', `"${name}" is no toolset${meant}`, { details: { field: 'toolsets' } });
}
