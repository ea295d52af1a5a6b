import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../harness/paths.js';
import { runCommand } from './run-command.js';

const compilerOptions = {
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'] },
  ...{ moduleResolution: 'nodenext', strict: true, outDir: 'out', skipLibCheck: true },
};

/** Compiles `main.ts` of a folder with all that it imports, and answers the path of the program. */
export async function compileClient(folder: string, options: object = {}): Promise<string> {
  const config = { compilerOptions: { ...compilerOptions, ...options }, files: ['main.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  await runCommand(process.execPath, [compiler, '-p', folder], { cwd: folder });
  return join(folder, 'out/main.js');
}
