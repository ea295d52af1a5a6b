import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { list } from '../output-fields.js';
import { appFields, shownApp, type ShownApp } from './app-fields.js';

interface ListAppsOutput {
  apps: ShownApp[];
}

/** The apps that the user has connected. */
export const listApps = defineOperation<object, ListAppsOutput>({
  id: 'list-apps',
  summary: 'The apps that are connected to the account, newest first.',
  scope: 'user',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<ListAppsOutput, true>({
    apps: list(Joi.object<ShownApp, true>(appFields), 'newest first'),
  }),
  leadsTo: [{ to: 'disconnect-app', fields: { id: 'payload/apps/0/id' } }],
  async handle(_input, { storage }, { user }) {
    const grants = await storage.grants.ofUser(user!.userId);
    return { payload: { apps: grants.map(shownApp) } };
  },
});
