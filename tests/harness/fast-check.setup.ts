import fc from 'fast-check';

/** The same cases each time, so that a failure is met again. `FUZZ_SEED=… npm test` tries others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_115) });
