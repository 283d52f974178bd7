import { hour, minute, nameLimits } from '../../core/http/rate-limits.ts';

export const signUpLimits = nameLimits({ newsletter: { max: 30, windowMs: 10 * minute } });

// Counted by deliveries: a restart forgets none.
/** A tenth of the hour's confirmation mails, and enough for a small company that signs up together. */
export const recipientDomain = { share: 0.1, min: 5, windowMs: hour } as const;
