/** Receivers that do not exist, tried once a second: every message has its rows in the outbox, and they stay there. */
export const receivers = {
  SHEET_URL: 'http://127.0.0.1:9/',
  SHEET_RATE: '1',
  SMTP_URL: 'smtp://127.0.0.1:9',
  NOTIFY_EMAIL: 'office@example.com',
  MAIL_RATE: '1',
};

/** Of the answer to a message. */
export const bodyBytes = JSON.stringify({ reference: 'AAAAA-BBBBB' }).length;
