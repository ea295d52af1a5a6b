import { saveStrategy } from '../../operations/strategies/save-strategy.js';
import { rulesSchema } from '../rules-schema.js';
import { defineExtension } from '../tool.js';

export const saveStrategyTool = defineExtension({
  name: 'save_strategy',
  title: 'Save a strategy',
  description:
    'Saves a strategy of own rules in the account of the user, as version 1 under an id by which it can be run again. Check the rules first, and save only what the user asked for. Does not run it and places no orders.',
  scope: 'write:strategies',
  toolset: 'research',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  operation: saveStrategy,
  inputSchema: rulesSchema(saveStrategy.input),
  headline: ({ id, name, version, hash }) =>
    `Saved "${name}" as ${id}, version ${version}; its rules have the hash ${hash.slice(0, 12)}….`,
});
