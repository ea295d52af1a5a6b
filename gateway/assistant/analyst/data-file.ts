import { readFileSync } from 'node:fs';
import { asset } from '../../../storage/process/asset.js';

/** A file of the folder data. */
export const dataFile = <Type>(name: string): Type =>
  JSON.parse(readFileSync(asset(`gateway/assistant/analyst/data/${name}.json`), 'utf8')) as Type;
