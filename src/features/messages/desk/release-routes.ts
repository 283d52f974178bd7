import * as v from 'valibot';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { createSingleFlight } from '../../../core/desk/single-flight.ts';
import { findStartOfDay, formatMoment } from '../../../lib/format-time.ts';
import { release } from '../actions/change-messages.ts';
import { countQuarantined } from '../read-inbox.ts';
import { getReceiverLabel } from '../receivers/receivers.ts';
import { listReasons, messagesPath } from './list-props.ts';
import type { MessageDeskNeeds } from './needs.ts';
import { toResult } from './notices.ts';
import type { MessagePages } from './props.ts';
import { readQuery } from './read-form.ts';

/** All that are in quarantine for one reason, after a page that names their number. */
export function addReleaseRoutes(
  app: DeskApp,
  { services, answer }: DeskDeps<MessageDeskNeeds, MessagePages>,
): void {
  const { domainDeps, clock } = services;
  const path = `${messagesPath}/release`;
  const releases = createSingleFlight<number>();

  app.get(path, async context => {
    const { reason, since, filter } = readSelection(readQuery(context));
    const now = clock.now();
    const upTo = now.toISOString();
    const isKnown = listReasons().some(({ name }) => name === reason);
    const count = isKnown ? await countQuarantined(domainDeps, { ...filter, upTo }) : 0;
    const props = {
      reasons: listReasons(),
      reason,
      since,
      upTo,
      count,
      sinceText: filter.since ? formatMoment(filter.since, now).text : '',
      receivers: domainDeps.receivers.map(getReceiverLabel).join(', '),
      error: isKnown ? undefined : 'Choose a reason.',
    };
    const page = { view: 'messages/release', title: 'Release from quarantine', props } as const;
    return answer(context, { ...page, area: 'messages' }, isKnown ? 200 : 422);
  });

  app.post(path, async context => {
    const form = await context.req.formData();
    const fields = new URLSearchParams([...form].map(([name, value]) => [name, String(value)]));
    const { reason, filter } = readSelection(fields);
    const input = v.safeParse(release.input, { references: [], ...filter, upTo: fields.get('upTo') });
    if (!input.success) return context.redirect(path, 303);
    const key = `${reason} ${filter.since} ${input.output.upTo}`;
    const released = await releases.run(
      key,
      async () => Number(await release.run(services, input.output)) || (releases.findLast(key) ?? 0),
    );
    const result = toResult('release', released > 0 ? { changed: released } : { left: 1 });
    return context.redirect(`${messagesPath}?state=quarantined&${result}`, 303);
  });
}

function readSelection(fields: URLSearchParams) {
  const [reason, since] = [fields.get('reason') ?? '', fields.get('since') ?? ''];
  const start = findStartOfDay(since);
  return { reason, since: start ? since : '', filter: { reason, ...(start && { since: start }) } };
}
