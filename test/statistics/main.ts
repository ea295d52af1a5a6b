import { parseArgs } from 'node:util';
import { verdictOf } from './bounds.js';
import { claims } from './claims/index.js';
import { coverageHeads, coverageRow } from './coverage-row.js';
import { settleClaim } from './settle-claim.js';

// `npm run coverage:statistics -- [--seeds 2] [--series 400] [part of a claim's name ...]`; fails where a rate is surely out of its bounds.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1' }, series: { type: 'string', default: '400' } },
});
const [seedSet, series] = [Number(values.seeds), Number(values.series)];
if (!Number.isInteger(seedSet) || seedSet < 0 || !Number.isInteger(series) || series < 1) {
  console.error('--seeds expects a whole number of at least 0, --series one of at least 1');
  process.exit(2);
}
const chosen = claims.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
for (const head of coverageHeads) console.log(head);
let faults = 0;
for (const claim of chosen)
  for (const market of claim.processes) {
    const measured = settleClaim(claim, market, { series, seedSet });
    console.log(coverageRow(measured));
    faults += Number(['outside', 'silent'].includes(verdictOf(measured)));
  }
process.exitCode = faults > 0 ? 1 : 0;
