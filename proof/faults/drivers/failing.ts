/** How a commit ends: well, or with an error before or after it was carried out. */
export type Fate = 'well' | 'before' | 'after';

let state = Number(process.env.FAULT_SEED ?? 0) >>> 0;
const share = Number(process.env.FAULT_SHARE ?? 0);

/** The same fates for the same seed. Without a share nothing fails. */
export function nextFate(): Fate {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  const value = state / 2 ** 32;
  if (value >= share) return 'well';
  return value < share / 2 ? 'before' : 'after';
}
