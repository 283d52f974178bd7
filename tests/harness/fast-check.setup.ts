import fc from 'fast-check';

/** A fixed seed, so that a failure can be reproduced. `FUZZ_SEED=… npm test` tries others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_115) });
