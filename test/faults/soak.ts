/**
 * `npm run soak -- HOURS`: the whole service under load while one thing after the other is broken. Prints the ledger of faults and what
 * has grown; ends with 1 when a request failed (`judge-requests.ts` says what that is), a signal was not entered exactly once, or memory or
 * handles leak.
 */
import { leaksOf } from '../support/soak/growth.js';
import { soak } from '../support/soak/soak.js';

const hours = Number(process.argv[3] ?? 3);
if (!(hours > 0)) {
  console.error(`expected the hours to run, as in 3 or 0.5, found "${process.argv[3]}"`);
  process.exit(2);
}
const { faults, asked, refused, failed, entries, growth, errors, exit } = await soak(hours, (line) =>
  console.error(line),
);
console.log(
  `${hours} h, ${asked} requests: ${refused} refused while the server they needed was down, and answered when asked again; ` +
    `${failed.length} failed; the service ended with ${exit}`,
);
console.log(
  '\n| fault | times | requests meanwhile | refused at first | longest until answered |\n|---|---:|---:|---:|---:|',
);
for (const { name, times, asked, refused, longestMs } of faults)
  console.log(`| ${name} | ${times} | ${asked} | ${refused} | ${(longestMs / 1_000).toFixed(1)} s |`);
const sides = Object.values(entries);
const once = sides.filter((each) => each.join() === 'buy').length;
console.log(`\n${once} of ${sides.length} signals entered once`);
console.log('\n| what | at first | at last | per hour | measured, h |\n|---|---:|---:|---:|---:|');
for (const { name, from, to, perHour, hours } of growth)
  console.log(
    `| ${name} | ${[from, to, perHour].map((n) => n.toFixed(1)).join(' | ')} | ${hours.toFixed(2)} |`,
  );
for (const line of failed.slice(0, 20)) {
  console.error(line);
  const [, id] = /"requestId":"([\w-]+)"/.exec(line) ?? [];
  for (const logged of errors.split('\n')) if (id && logged.includes(id)) console.error(logged);
}
for (const other of sides.filter((each) => each.join() !== 'buy')) console.error(`signal: ${other.join()}`);
const leaks = leaksOf(growth);
for (const { name } of leaks) console.error(`grows: ${name}`);
const isGood = failed.length === 0 && once > 0 && once === sides.length && leaks.length === 0 && exit === 0;
process.exit(isGood ? 0 : 1);
