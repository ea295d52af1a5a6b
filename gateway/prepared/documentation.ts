import type { Settings } from '../../storage/process/settings.js';
import { preparedText } from './prepared-text.js';

/** The address of the service in OpenAPI: that of the document itself, if none is set. */
export const documentedUrl = ({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>): string =>
  PUBLIC_URL === '' ? '/' : PUBLIC_URL.replace(/\/$/, '');

/** The address of the service in examples: PUBLIC_URL, else that on its own machine, with the default port if it listens on any. */
export const docsBase = (settings: Settings): string =>
  settings.PUBLIC_URL === ''
    ? `http://127.0.0.1:${settings.PORT === 0 ? 3000 : settings.PORT}`
    : documentedUrl(settings);

/** The OpenAPI document, as text. */
export const openApiText = (settings: Settings): string =>
  preparedText('openapi.json', { ADDRESS: JSON.stringify(documentedUrl(settings)).slice(1, -1) });
