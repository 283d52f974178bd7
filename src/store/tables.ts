export const messageStates = ['new', 'empty', 'quarantined', 'spam'] as const;
export type MessageState = (typeof messageStates)[number];

/** Times are ISO 8601 text in UTC: they sort, and read the same from both databases. */
export type MessageRow = {
  reference: string;
  received_at: string;
  state: MessageState;
  name: string;
  email: string;
  message: string;
  service: string;
};

export type Tables = {
  messages: MessageRow;
  migrations: { name: string; applied_at: string };
  readiness: { id: number; checks: number };
};
