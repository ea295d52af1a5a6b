/** `npm run faults -- signals ...` breaks the trading of signals, everything else the answers to requests. */
if (process.argv[2] === 'signals') await import('./signals.js');
else await import('./ledger.js');
