/**
 * A role without a service: it reports its process id as ready, and ends by itself when the first argument is `dies`. After
 * SIGTERM it takes as many milliseconds to end as the second argument says.
 */
const [, , kind, endsAfterMs = '0'] = process.argv;

process.once('SIGTERM', () => setTimeout(() => process.exit(0), Number(endsAfterMs)));
process.once('disconnect', () => process.exit(0));
process.send?.({ type: 'ready', facts: { pid: String(process.pid) } });
if (kind === 'dies') setTimeout(() => process.exit(3), 10);
