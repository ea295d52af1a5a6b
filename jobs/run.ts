import { readFileSync } from 'node:fs';
import { asset, bundleOf } from '../storage/process/asset.js';
import { nodeFault } from '../storage/process/node-fault.js';

const { engines } = JSON.parse(readFileSync(asset('package.json'), 'utf8')) as { engines: { node: string } };
const fault = nodeFault(process.versions.node, engines.node);
if (fault !== undefined) {
  console.error(`error: ${fault}`);
  process.exit(1);
}
// Only now: an old Node cannot load it.
await import(bundleOf('jobs/roles').href);
