import { boundsOf, verdictOf } from './bounds.js';
import type { Measured } from './measure-claim.js';

const percent = (share: number | null) => (share === null ? '-' : (share * 100).toFixed(1));

export const coverageHeads = [
  '| claim | process | series | answered % | rate % | 95 % interval | bounds % | verdict |',
  '| --- | --- | ---: | ---: | ---: | --- | --- | --- |',
];

/** A row of the table. The interval of the rate says how exact so many series are. */
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
    verdictOf(measured),
  ];
  return `| ${cells.join(' | ')} |`;
}
