import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from '../../bench/fetched.js';

const version = '7.25.0';
const sha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const address = `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${version}/openapi-generator-cli-${version}.jar`;

/** The path of openapi-generator, which is fetched once. Throws if it cannot be fetched, or is another than expected. */
export async function generatorJar(): Promise<string> {
  const file = join(benchFolder, `openapi-generator-${version}.jar`);
  if (existsSync(file) && hashOf(readFileSync(file)) === sha256) return file;
  console.error(`fetching openapi-generator ${version}`);
  const answer = await fetch(address, { signal: AbortSignal.timeout(120_000) });
  if (!answer.ok) throw new Error(`Maven Central answered ${answer.status}`);
  const jar = Buffer.from(await answer.arrayBuffer());
  if (hashOf(jar) !== sha256) throw new Error(`openapi-generator ${version} has another hash than expected`);
  mkdirSync(benchFolder, { recursive: true });
  writeFileSync(file, jar);
  return file;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
