import fc from 'fast-check';

// Random tests try the same cases on every run, so that a failure is a change and not luck. SEED=n tries others.
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
