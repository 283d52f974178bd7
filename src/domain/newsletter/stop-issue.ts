import type { Clock } from '../../lib/clock.ts';
import type { NewsletterIssues } from '../../store/newsletter-issues.ts';
import type { Receivers } from '../../store/receivers.ts';

type StopDeps = { issues: Pick<NewsletterIssues, 'hold' | 'count'>; clock: Clock };

/** Deliveries in progress may still arrive; they are held if they fail. */
export async function stopIssue(
  { issues, clock }: StopDeps,
  reference: string,
): Promise<{ held: number; sending: number }> {
  const held = await issues.hold(reference, clock.now().toISOString());
  const { sending } = await issues.count(reference);
  return { held, sending };
}

type ResumeDeps = {
  issues: Pick<NewsletterIssues, 'releaseHeld'>;
  receiverStates: Pick<Receivers, 'resume'>;
  clock: Clock;
};

export async function resumeIssue(
  { issues, receiverStates, clock }: ResumeDeps,
  reference: string,
): Promise<{ released: number; wasPaused: boolean }> {
  const released = await issues.releaseHeld(reference, clock.now().toISOString());
  return { released, wasPaused: await receiverStates.resume('newsletter') };
}
