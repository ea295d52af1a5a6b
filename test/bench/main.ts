import { benchBackup } from './backup.js';
import { benchBacktestHttp } from './backtest-http.js';
import { benchCandles } from './candles.js';
import { benchChat } from './chat.js';
import { benchCluster } from './cluster.js';
import { benchEngine } from './engine.js';
import { benchFollowers } from './followers.js';
import { benchIdle } from './idle.js';
import { benchInteractive } from './interactive.js';
import { benchLightReads } from './light-reads.js';
import { benchLogins } from './logins.js';
import { benchMcp } from './mcp.js';
import { benchMixed } from './mixed.js';
import { benchOverload } from './overload.js';
import { benchPerJob } from './per-job.js';
import { countPictures } from './pictures.js';
import { benchPortfolio } from './portfolio.js';
import { benchPrices } from './prices.js';
import { benchReference } from './reference.js';
import { benchRules } from './rules.js';
import { benchScale } from './scale.js';
import { benchSignals } from './signals.js';
import { benchSignInTimes } from './sign-in-times.js';
import { benchSigned } from './signed.js';
import { benchSlowClients } from './slow-clients.js';
import { benchRoles, benchStart } from './start.js';
import { benchStreams } from './streams.js';

/** Every benchmark, or those whose name is given; a number is how many seconds those take that run for a while. */
const benchmarks: Record<string, (seconds?: number) => unknown> = {
  engine: () => benchEngine(),
  candles: () => benchCandles(),
  backup: () => benchBackup(),
  'backtest-http': () => benchBacktestHttp(),
  'light-reads': () => benchLightReads(),
  logins: () => benchLogins(),
  mcp: () => benchMcp(),
  chat: () => benchChat(),
  pictures: () => countPictures(),
  portfolio: () => benchPortfolio(),
  prices: () => benchPrices(),
  followers: benchFollowers,
  idle: benchIdle,
  interactive: () => benchInteractive(),
  'sign-in-times': () => benchSignInTimes(),
  signals: () => benchSignals(),
  signed: () => benchSigned(),
  'slow-clients': benchSlowClients,
  streams: benchStreams,
  start: () => benchStart(),
  roles: () => benchRoles(),
  cluster: () => benchCluster(),
  mixed: benchMixed,
  overload: benchOverload,
  rules: () => benchRules(),
  scale: benchScale,
  'per-job': () => benchPerJob(),
  reference: () => benchReference(),
};

const given = process.argv.slice(2);
const seconds = given.map(Number).find((each) => each > 0);
const names = given.filter((each) => Number.isNaN(Number(each)));
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(`no benchmark "${unknown.join('", "')}"; there are: ${Object.keys(benchmarks).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (names.length === 0 || names.includes(name)) await run(seconds);
}
// The clients of exchanges keep their connections open for a while.
process.exit();
