import { readFileSync } from 'node:fs';
import { asset } from './asset.js';

/** The version of the service. */
export const { version } = JSON.parse(readFileSync(asset('package.json'), 'utf8')) as { version: string };
