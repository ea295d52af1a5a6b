import { readFileSync } from 'node:fs';

/** A file of the folder data, which lies beside the sources, not in the compiled output. */
export const dataFile = <Type>(name: string): Type =>
  JSON.parse(
    readFileSync(new URL(`../../../../gateway/assistant/analyst/data/${name}.json`, import.meta.url), 'utf8'),
  ) as Type;
