import type { CounterType, GaugeType } from '../../core/http/request-counters.ts';

export const auditCounter = {
  name: 'wardhouse_audits_total',
  help: 'Audits that visitors requested.',
  labels: {
    /** A report that was measured now or earlier, or why there was none. */
    outcome: [
      'live',
      'cached',
      'invalid-domain',
      'not-offered',
      'too-many',
      'checked-recently',
      'busy',
      'off',
      'no-answer',
      'unexpected',
    ],
  },
} as const satisfies CounterType;

type QueueOf = { auditQueue?: { counts(): Record<'running' | 'waiting', number> } | undefined };

export const auditGauges = (['running', 'waiting'] as const).map(
  (state): GaugeType<QueueOf> => ({
    name: `wardhouse_audits_${state}`,
    help: `Audits that are ${state}.`,
    read: ({ auditQueue }) => auditQueue?.counts()[state] ?? 0,
  }),
);
