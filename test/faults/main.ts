/** `npm run faults -- signals ...` breaks the trading of signals, `-- beside` runs the release before, `-- soak` runs for hours, everything else the answers to requests. */
if (process.argv[2] === 'signals') await import('./signals.js');
else if (process.argv[2] === 'beside') await import('./beside.js');
else if (process.argv[2] === 'soak') await import('./soak.js');
else await import('./ledger.js');
