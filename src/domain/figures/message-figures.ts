import type { ReportCounts } from '../../store/report-counts.ts';
import { type Figure, share, sum, type Week } from './figure.ts';

export type CountedMessages = Awaited<ReturnType<ReportCounts['countMessages']>>;

const accepted = ['new', 'answered', 'closed'];

export function countByWeek(weeks: Week[], messages: CountedMessages[]): Figure {
  const rows = weeks.map(({ from }, index) => {
    const countStates = (...states: string[]) =>
      sum((messages[index] ?? []).filter(({ state }) => states.includes(state)));
    const all = sum(messages[index] ?? []);
    const quarantined = countStates('quarantined', 'spam');
    return [
      ...[from, countStates(...accepted), quarantined, share(quarantined, all)],
      ...[countStates('new'), countStates('empty'), all],
    ];
  });
  return {
    id: 'messages',
    title: 'Messages and quarantine',
    sentence:
      'Messages received. Those released from quarantine count as accepted; open ones are neither answered nor closed.',
    columns: [
      ...['Week from', 'Accepted', 'Quarantine and spam', 'Share in percent'],
      ...['Open', 'Empty', 'All'],
    ],
    rows: messages.every(week => week.length === 0) ? [] : rows,
    plot: { kind: 'stack', drawn: [1, 2] },
  };
}

export function countByForm(weeks: Week[], messages: CountedMessages[]): Figure {
  const counted = messages.map(onlyAccepted);
  return {
    id: 'forms',
    title: 'Messages by form',
    sentence: 'Accepted messages from the contact form, and those sent with the report of a free audit.',
    columns: ['Week from', 'Contact form', 'Free audit'],
    rows: isEmpty(counted)
      ? []
      : weeks.map(({ from }, index) => {
          const ofWeek = counted[index] ?? [];
          const audits = sum(ofWeek.filter(({ isAudit }) => isAudit));
          return [from, sum(ofWeek) - audits, audits];
        }),
    plot: { kind: 'stack', drawn: [1, 2] },
  };
}

/** The service with the most messages first. */
export function countByService(weeks: Week[], messages: CountedMessages[]): Figure {
  const counted = messages.map(onlyAccepted);
  const name = ({ service }: CountedMessages[number]) =>
    service === null ? 'Other' : service || 'None chosen';
  const totals = [...Map.groupBy(counted.flat(), name)].map(([service, rows]) => ({
    service,
    count: sum(rows),
  }));
  const services = totals
    .sort((a, b) => b.count - a.count || a.service.localeCompare(b.service))
    .map(({ service }) => service);
  return {
    id: 'services',
    title: 'Messages by service',
    sentence: 'Accepted messages by the service chosen in the form.',
    columns: ['Week from', ...services],
    rows: isEmpty(counted)
      ? []
      : weeks.map(({ from }, index) => [
          from,
          ...services.map(service =>
            sum((counted[index] ?? []).filter(message => name(message) === service)),
          ),
        ]),
    plot: { kind: 'multiples', drawn: services.map((_, index) => index + 1) },
  };
}

function onlyAccepted(messages: CountedMessages): CountedMessages {
  return messages.filter(({ state }) => accepted.includes(state));
}

function isEmpty(messages: CountedMessages[]): boolean {
  return messages.every(week => week.length === 0);
}
