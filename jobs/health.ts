// Ends with code 0 if the role of this container is ready, and else with 1 and what is missing. It reads only two variables,
// because it is run every few seconds.
const { METRICS_PORT: port = '', METRICS_HOST: host = '' } = process.env;
const named = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
const own = named.includes(':') ? `[${named}]` : named;

try {
  if (Number(port || 0) === 0) throw new Error('set METRICS_PORT, where each role answers /readyz');
  const answer = await fetch(`http://${own}:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  console.log(await answer.text());
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  const { message, cause } = error as Error;
  console.error(`error: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}`);
  process.exitCode = 1;
}
