import { assetField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { intervals } from '../../../compute/model/interval.js';
import { analysisNamed } from '../../../compute/analyses.js';
import type { Preferences } from '../../../storage/users/preferences.js';
import { describedOperation } from '../analysis/described-operation.js';

const { indicators } = analysisNamed('indicator-values').params;

const fields = {
  watchlist: field.list('assets that are shown first, each once', assetField, {
    max: 50,
    isUnique: true,
    default: [],
  }),
  time: field.choice('in which zone times are shown', ['local', 'UTC'], { default: 'local' }),
  interval: field.choice('length of a candle that charts begin with', intervals, { default: '1d' }),
  indicators: { ...indicators, text: 'indicators that charts show', min: 0, default: [] },
};

const none: Preferences = { watchlist: [], time: 'local', interval: '1d', indicators: [] };

const shown = field.object('an indicator', {
  name: field.text('name of the indicator'),
  params: field.record('its parameters, defaults included', field.number('value of the parameter')),
});

const facts = {
  scope: 'user',
  output: { ...fields, indicators: field.list('indicators that charts show', shown) },
} as const;

export const getPreferences = describedOperation({
  ...facts,
  id: 'get-preferences',
  summary: 'Your watchlist, and how times and charts are shown to you.',
  isLight: true,
  handle: async (_input, { storage }, { user }) => ({
    payload: (await storage.preferences.find(user!.userId)) ?? none,
  }),
});

export const putPreferences = describedOperation({
  ...facts,
  id: 'put-preferences',
  summary: 'Sets your watchlist, and how times and charts are shown; what is left out has its default again.',
  input: fields,
  async handle(preferences, { storage }, { user }) {
    await storage.preferences.put(user!.userId, preferences);
    return { payload: preferences };
  },
});
