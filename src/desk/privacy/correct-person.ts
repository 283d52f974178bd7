import { type AddressMatcher, createAddressMatcher } from '../../domain/privacy/address-matcher.ts';
import { describeCounts } from '../../domain/privacy/describe-counts.ts';
import { listCorrectionTasks } from '../../domain/privacy/follow-up-tasks.ts';
import { planRectification, rectifyPerson } from '../../domain/privacy/rectify-person.ts';
import type { Correction } from '../../features/messages/message-fields.ts';
import { revealControls } from '../../lib/control-characters.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { Services } from '../../server/wire.ts';
import { formatMoment } from '../format-time.ts';
import type { CorrectionForm, CorrectionProps, OutcomeProps } from './props.ts';

type ReadyPlan = Extract<Awaited<ReturnType<typeof planRectification>>, { kind: 'ready' }>;
type Planned = { plan: ReadyPlan; props: Pick<CorrectionProps, 'messages' | 'isSubscriber'> };

/** An empty field stays as it is. */
export function readCorrection(name: string, email: string): { form: CorrectionForm; change?: Correction } {
  const [newName, newEmail] = [name.trim(), email.trim()];
  const errors: CorrectionForm['errors'] = {};
  if (newName === '' && newEmail === '')
    errors.name = 'Enter the right name, the right email address, or both.';
  if (newName.length > 200) errors.name = 'Use at most 200 characters.';
  if (newEmail !== '' && !createAddressMatcher(newEmail)) errors.email = invalidEmail;
  const form = { name, email, errors };
  if (Object.keys(errors).length > 0) return { form };
  return { form, change: { ...(newName && { name: newName }), ...(newEmail && { email: newEmail }) } };
}

const invalidEmail = 'Enter an email address, such as zoe@example.com.';

export async function planCorrection(
  { domainDeps, clock }: Services,
  matcher: AddressMatcher,
  change: Correction,
): Promise<Planned | { errors: CorrectionForm['errors'] }> {
  const plan = await planRectification(domainDeps, matcher, { change, reference: undefined });
  if (plan.kind === 'nothing') return { errors: { name: 'There is no message with a name to correct.' } };
  if (plan.kind === 'undeliverable') return { errors: { email: invalidEmail } };
  const now = clock.now();
  const messages = plan.rows.map(({ reference, received_at, name, email }) => ({
    reference,
    at: formatMoment(received_at, now),
    old: revealControls(joinFields(change.name && name, change.email && email)),
    new: joinFields(change.name, change.email),
  }));
  return { plan, props: { messages, isSubscriber: plan.isSubscriber } };
}

function joinFields(...fields: (string | undefined)[]): string {
  return fields.filter(Boolean).join(', ');
}

export async function correctPerson(
  services: Services,
  matcher: AddressMatcher,
  { plan }: Planned,
  change: Correction,
): Promise<OutcomeProps> {
  const { domainDeps } = services;
  const { cleanup, newsletter, ...counts } = await rectifyPerson(domainDeps, matcher, plan.found, change);
  const isUnclean = cleanup.kind === 'sqlite' && !cleanup.isClean;
  return {
    done: [
      ...(counts.messages > 0 || !newsletter ? [`Corrected: ${describeCounts(counts) || 'nothing'}.`] : []),
      ...(newsletter ? [`Newsletter: ${newsletter}.`] : []),
    ],
    problems: isUnclean ? [longRead] : [],
    tasks: await listCorrectionTasks(domainDeps, listCopyTargets(services), plan.found),
    next: null,
  };
}

const longRead =
  'A long read of the database, such as a backup, keeps the old data in a file beside it for a while.';
