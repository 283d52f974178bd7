import { DatabaseSync } from 'node:sqlite';

/** What is posted, and what every contestant writes of it. */
export const message = {
  name: 'A visitor',
  email: 'visitor@example.com',
  message: 'We would like an audit of our network and of two web applications. '.repeat(4),
  service: 'audit',
};

export type Recorder = (count: number) => void;

/** One table, one commit for a whole group, nothing else: as little as durable can cost. */
export function createRecorder(file: string): Recorder {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
    create table messages (reference text primary key, received_at text, name text, email text, message text, service text)`);
  const insert = db.prepare('insert into messages values (?, ?, ?, ?, ?, ?)');
  let written = 0;
  return count => {
    db.exec('begin immediate');
    for (let index = 0; index < count; index++) {
      written += 1;
      const reference = `${Math.random().toString(36).slice(2)}-${written}`;
      insert.run(reference, '2026-01-02T03:04:05.678Z', ...Object.values(message));
    }
    db.exec('commit');
  };
}
