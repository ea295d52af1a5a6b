/** A benchmark that has started a gateway over servers of its own, and goes on until it is ended. */
import { tmpdir } from 'node:os';
import { gatewayModule, withBenchService } from '../../bench/bench-service.js';

await withBenchService(async ({ start }) => {
  // Known by the folder, as everything here is.
  await start('gateway', gatewayModule, [], { TMPDIR: tmpdir() });
  console.log('under way');
  await new Promise(() => setInterval(() => undefined, 60_000));
});
