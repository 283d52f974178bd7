import { listWeeks } from '../../src/domain/figures/figure.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { TestDatabase } from './databases.ts';
import { newMessage } from './sample-message.ts';
import { testConfig } from './site.ts';
import { addSubscribers } from './subscribers.ts';

const [{ from: monday = '' } = {}, { from: next = '' } = {}] = listWeeks(new Date(), 3);
const sunday = new Date(Date.parse(next) - 1).toISOString().slice(0, 10);
/** The two weeks before this one, by their first day. */
export const filledWeeks = { monday, next };

/** Two weeks of messages, deliveries and subscribers: a few of each kind, so that the figures are easy to verify. */
export async function addReportData(database: TestDatabase): Promise<void> {
  const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
  const at = (day: string, time = '12:00:00.000') => `${day}T${time}Z`;
  const messages = [
    { reference: 'AAAAA-AAAAA', received_at: at(monday, '00:00:00.000'), service: 'Data Security' },
    { reference: 'BBBBB-BBBBB', received_at: at(sunday, '23:59:59.999'), service: 'Data Security' },
    { reference: 'CCCCC-CCCCC', received_at: at(monday), service: '<script>a word of my own</script>' },
    { reference: 'DDDDD-DDDDD', received_at: at(next), audit_report: 'r' },
    { reference: 'EEEEE-EEEEE', received_at: at(monday), state: 'quarantined' as const },
    { reference: 'FFFFF-FFFFF', received_at: at(monday), state: 'spam' as const },
    { reference: 'GGGGG-GGGGG', received_at: at(monday), state: 'empty' as const },
  ];
  for (const message of messages) {
    const receivers = message.state ? [] : ['sheet', 'mail'];
    await store.messages.add(newMessage({ ...message, receivers }));
  }
  const now = at(next);
  await store.messages.changeState('AAAAA-AAAAA', { from: ['new'], to: 'answered', now });
  await store.messages.changeState('DDDDD-DDDDD', { from: ['new'], to: 'closed', now });
  await addSubscribers(
    database,
    (['confirmed', 'unsubscribed', 'suppressed'] as const).map(state => ({
      ...{ id: state, address: `${state}@example.com`, form: 'home', consent_text: 'w' },
      ...{ consent_requested_at: at(monday), confirmed_at: at(monday) },
      ...(state === 'confirmed'
        ? { state }
        : state === 'unsubscribed'
          ? { state, unsubscribed_at: at(next) }
          : { state, suppressed_at: at(next), suppression_reason: 'bounce' as const }),
    })),
  );
  await store.audits.add({ id: 'r', domain: 'example.com', measured_at: at(monday), report: '{}' });
  for (const [hash, day] of [
    ['a', monday],
    ['b', next],
  ] as const)
    await store.audits.addLink({ hash, report: 'r', created_at: at(day), expires_at: at('2999-01-01') });
  await store.close();
  const settle = (reference: string, receiver: string, time: string) =>
    database.query(`update deliveries set state = 'delivered', settled_at = '${time}'
      where reference = '${reference}' and receiver = '${receiver}'`);
  await settle('AAAAA-AAAAA', 'sheet', at(monday, '00:00:00.500'));
  await settle('AAAAA-AAAAA', 'mail', at(monday, '00:00:01.000'));
  await settle('CCCCC-CCCCC', 'sheet', at(monday, '12:00:00.040'));
  await settle('DDDDD-DDDDD', 'sheet', at(next, '13:30:10.000'));
  await settle('DDDDD-DDDDD', 'mail', at(next, '12:00:02.000'));
  await database.query(`update deliveries set state = 'failed', settled_at = '${at(next)}',
    last_failure = '550 zoe@example.com is full' where reference = 'CCCCC-CCCCC' and receiver = 'mail'`);
  await database.query(`insert into deliveries (reference, receiver, kind, state, created_at, due_at, settled_at, last_failure)
    values ('LLLLL-LLLLL', 'confirmations', 'confirmation', 'failed', '${at(next)}', '${at(next)}', '${at(next)}', 'no such mailbox')`);
}
