/** `npm run faults -- beside [seconds]`: the release before this one serves beside it; ends with 1 when a request failed. */
import { builtRelease } from '../support/releases/built-release.js';
import { earlierReleases } from '../support/releases/previous-release.js';
import { serveBeside } from '../support/releases/serve-beside.js';
import { projectRoot } from '../support/harness/paths.js';
import { closeTestServers, freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

const seconds = Number(process.argv[3] ?? 60);
const [commit] = earlierReleases(projectRoot);
const servers = { REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() };
const { answered, failed, entries, errors, exits } = await serveBeside(
  builtRelease(commit),
  servers,
  seconds,
);
await closeTestServers();
console.log(`${commit.slice(0, 8)} beside this release for ${seconds} s\n| request | answered |\n|---|---|`);
for (const [request, count] of Object.entries(answered)) console.log(`| ${request} | ${count} |`);
const sides = Object.values(entries);
const once = sides.filter((each) => each.join() === 'buy').length;
console.log(`${failed.length} failed; ${once} of ${sides.length} signals entered once`);
for (const other of sides.filter((each) => each.join() !== 'buy')) console.error(other.join());
for (const line of failed.slice(0, 20)) console.error(line);
if (errors !== '') console.error(errors.slice(0, 5_000));
const isGood = failed.length === 0 && once > 0 && once === sides.length && exits.every((code) => code === 0);
process.exit(isGood ? 0 : 1);
