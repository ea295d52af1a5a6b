import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { projectRoot } from '../harness/paths.js';
import { skip } from '../harness/skip.js';

const folder = join(projectRoot, '.data/tools/types');

/**
 * What the compiler says of a value as a literal of a type that a package of test/tools.sh has: unknown fields, missing ones, and values of
 * another kind. Skips the tests of a package that is not there.
 */
export function typeFaults(context: Context, type: string, from: string, value: unknown): string {
  if (!existsSync(join(folder, 'node_modules', ...from.split('/').slice(0, 2))))
    skip(context, `no ${from}: test/tools.sh installs it`);
  const file = join(folder, `${type}-${process.pid}.ts`);
  const literal = JSON.stringify(value, null, 2);
  writeFileSync(file, `import type { ${type} } from '${from}';\nexport const value: ${type} = ${literal};\n`);
  try {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig'];
    const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, ...options, file], { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(file);
  }
}
