import fc from 'fast-check';

// The same cases in every run, so that a run says something about the change it tests; FC_SEED chooses other cases.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_260_101) });
