import type { CounterType, LabelsOf } from '../../core/http/request-counters.ts';

export const messageCounter = {
  name: 'wardhouse_messages_total',
  help: 'Messages that could be read.',
  labels: {
    result: [
      'stored',
      'quarantined',
      'empty',
      'duplicate',
      'invalid',
      'conflict',
      'rate-limited',
      'busy',
      'failed',
    ],
  },
} as const satisfies CounterType;

export type MessageResult = LabelsOf<typeof messageCounter>['result'];
