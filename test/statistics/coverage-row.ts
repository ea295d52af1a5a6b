import { boundsOf, faultOf } from './bounds.js';
import type { Measured } from './measure-claim.js';

const percent = (share: number | null) => (share === null ? '-' : (share * 100).toFixed(1));

export const coverageHeads = [
  '| claim | process | series | answered % | rate % | 95 % interval | bounds % | |',
  '| --- | --- | ---: | ---: | ---: | --- | --- | --- |',
];

/** A row of the table. The last cell says `ok`, or `outside` where the rate is surely out of its bounds. */
export function coverageRow(measured: Measured): string {
  const { claim, process, silent, rate } = measured;
  const { least, most } = boundsOf(claim, process);
  const series = rate.count + silent;
  const cells = [
    claim.name,
    process.name,
    series,
    percent(rate.count / series),
    percent(rate.share),
    `${percent(rate.low)} to ${percent(rate.high)}`,
    `${percent(least)} to ${percent(most)}`,
    faultOf(measured) === null ? 'ok' : 'outside',
  ];
  return `| ${cells.join(' | ')} |`;
}
