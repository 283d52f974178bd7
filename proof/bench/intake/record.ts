import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** What is posted, and what every contestant writes of it. */
export const message = {
  name: 'A visitor',
  email: 'visitor@example.com',
  message: 'We would like an audit of our network and of two web applications. '.repeat(4),
  service: 'audit',
};

/** Receivers that do not exist, tried once a second: every message has its rows in the outbox, and they stay there. */
export const unreachableReceivers = {
  SHEET_URL: 'http://127.0.0.1:9/',
  SHEET_RATE: '1',
  SMTP_URL: 'smtp://127.0.0.1:9',
  NOTIFY_EMAIL: 'office@example.com',
  MAIL_RATE: '1',
};

export type Recorder = (count: number) => void;

/** The rows and indexes of a message with two receivers, our pragmas, one commit per group, prepared statements, and nothing else. */
export function createRecorder(file: string): Recorder {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
    PRAGMA wal_autocheckpoint = 4000;
    create table messages (reference text primary key, received_at text not null, name text not null, email text not null,
      message text not null, service text not null, idempotency_key text);
    create index messages_received_at on messages (received_at);
    create unique index messages_idempotency_key on messages (idempotency_key);
    create table deliveries (reference text not null, receiver text not null, state text not null, due_at text not null,
      primary key (reference, receiver));
    create index deliveries_due on deliveries (receiver, state, due_at)`);
  const insertMessage = db.prepare('insert into messages values (?, ?, ?, ?, ?, ?, null)');
  const insertDelivery = db.prepare("insert into deliveries values (?, ?, 'waiting', ?)");
  return count => {
    const now = new Date().toISOString();
    db.exec('begin immediate');
    for (let index = 0; index < count; index++) {
      const reference = randomBytes(8).toString('base64url').slice(0, 11);
      insertMessage.run(reference, now, ...Object.values(message));
      for (const receiver of ['sheet', 'mail']) insertDelivery.run(reference, receiver, now);
    }
    db.exec('commit');
  };
}
