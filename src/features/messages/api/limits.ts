import { hour, minute, nameLimits } from '../../../core/http/rate-limits.ts';

export const messageLimits = nameLimits({
  message: { max: 120, windowMs: 10 * minute },
  /** The other limit allows 720 messages an hour, which stay below it at two full pages each. */
  bytes: { max: 4 * 1024 * 1024, windowMs: hour, isUndone: true },
});
