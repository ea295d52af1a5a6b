import { parseArgs } from 'node:util';
import { claims } from './claims/index.js';
import { coverageHeads, coverageRow } from './coverage-row.js';
import { measureClaim } from './measure-claim.js';

// `npm run coverage:statistics -- [--seeds 2] [--series 400] [part of a claim's name ...]`

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
for (const claim of chosen)
  for (const market of claim.processes)
    console.log(coverageRow(measureClaim(claim, market, { series, seedSet })));
