import { benchBacktestHttp } from './backtest-http.js';
import { benchCluster } from './cluster.js';
import { benchEngine } from './engine.js';
import { benchLightReads } from './light-reads.js';
import { benchLogins } from './logins.js';
import { benchReference } from './reference.js';

/** Every benchmark, or those whose name is given. */
const benchmarks = {
  engine: benchEngine,
  'backtest-http': benchBacktestHttp,
  'light-reads': benchLightReads,
  logins: benchLogins,
  cluster: benchCluster,
  reference: benchReference,
};

const names = process.argv.slice(2);
for (const [name, run] of Object.entries(benchmarks)) {
  if (names.length === 0 || names.includes(name)) await run();
}
