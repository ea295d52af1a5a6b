import { readFileSync } from 'node:fs';
import { asset } from './asset.js';

export const { version } = JSON.parse(readFileSync(asset('package.json'), 'utf8')) as { version: string };
