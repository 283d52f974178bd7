import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestReport, readBounce } from './read-bounce.ts';

const bytes = (text: string) => new TextEncoder().encode(text.replaceAll('\n', '\r\n'));
const read = (text: string) => readBounce(bytes(text));

/** A report with this machine-readable part, and the shape that most mail servers share around it. */
function report(status: string, { type = 'delivery-status', head = '', after = '' } = {}): string {
  return `From: Mail Delivery System <MAILER-DAEMON@mail.example.org>
To: website@example.com
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${type};
\tboundary="ABC.123/mail.example.org"

This is a MIME-encapsulated message.

--ABC.123/mail.example.org
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--ABC.123/mail.example.org
Content-Type: message/${type}
${head}
${status}
--ABC.123/mail.example.org
${after || 'Content-Type: message/rfc822\n\nFrom: website@example.com\nTo: reader@example.com\nSubject: News\n\nHello'}

--ABC.123/mail.example.org--
`;
}

describe('reports as mail servers write them', () => {
  test('Postfix: several recipients, folded lines, the original before the final recipient', async () => {
    const text = report(`Reporting-MTA: dns; mail.example.org
X-Postfix-Queue-ID: 4D0B32F8A1
X-Postfix-Sender: rfc822; website@example.com
Arrival-Date: Sun, 15 Nov 2026 09:00:00 +0000 (UTC)

Final-Recipient: rfc822; inner@host.example.net
Original-Recipient: rfc822;Gone@example.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; 550 5.1.1 <gone@example.com>: Recipient address
    rejected: User unknown in virtual mailbox table

Final-Recipient: rfc822; full@example.com
Original-Recipient: rfc822;full@example.com
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp; 552 5.2.2 mailbox full

Final-Recipient: rfc822; late@example.com
Action: delayed
Status: 4.4.1

Final-Recipient: rfc822; fine@example.com
Action: relayed
Status: 2.0.0
`);
    expect(await read(text)).toEqual({
      kind: 'read',
      reports: [
        { kind: 'bounce', addresses: ['Gone@example.com'], status: '5.1.1', finding: 'nobody' },
        { kind: 'bounce', addresses: ['full@example.com'], status: '5.2.2', finding: 'soft' },
        { kind: 'bounce', addresses: ['late@example.com'], status: '4.4.1', finding: 'soft' },
      ],
    });
  });

  test('Exim: 5.0.0 for everything, and the reason in the diagnostic line', async () => {
    const text = report(`Reporting-MTA: dns; mail.example.org

Action: failed
Final-Recipient: rfc822;gone@example.com
Status: 5.0.0
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.

Action: failed
Final-Recipient: rfc822;who@example.com
Status: 5.0.0
Diagnostic-Code: smtp; 550 No Such User Here

Action: failed
Final-Recipient: rfc822;spam@example.com
Status: 5.0.0
Diagnostic-Code: smtp; 554 5.7.1 refused, see https://example.com/5.1.1
`);
    const result = await read(text);
    expect(result).toMatchObject({
      reports: [
        { addresses: ['gone@example.com'], status: '5.1.1', finding: 'nobody' },
        { addresses: ['who@example.com'], status: '5.0.0', finding: 'unclear' },
        { addresses: ['spam@example.com'], status: '5.7.1', finding: 'soft' },
      ],
    });
  });

  test('Exchange: the part in base64, its status with a comment', async () => {
    const status = `Reporting-MTA: dns;AB1.example.org
Received-From-MTA: dns;CD2.example.org

Final-Recipient: rfc822;gone@example.com
Action: failed
Status: 5.1.10 (recipient not found)
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient gone@example.com not found by SMTP address lookup
`;
    const encoded = Buffer.from(status.replaceAll('\n', '\r\n'))
      .toString('base64')
      .replaceAll(/.{76}/g, '$&\n');
    expect(await read(report(encoded, { head: 'Content-Transfer-Encoding: base64\n' }))).toMatchObject({
      reports: [{ addresses: ['gone@example.com'], status: '5.1.10', finding: 'nobody' }],
    });
  });

  test('Gmail: quoted-printable, and nothing but the head of our mail', async () => {
    const status = `Reporting-MTA: dns; googlemail.example
Arrival-Date: Sun, 15 Nov 2026 01:00:00 -0800 (PST)

Final-Recipient: rfc822; gone+tag=3D1@example.com
Action: failed
Status: 5.1.2
Diagnostic-Code: smtp; The domain example.com could not be found, or it takes =
no mail.
`;
    const after = 'Content-Type: text/rfc822-headers\n\nTo: gone@example.com';
    const head = 'Content-Transfer-Encoding: quoted-printable\n';
    expect(await read(report(status, { head, after }))).toMatchObject({
      reports: [{ addresses: ['gone+tag=1@example.com'], finding: 'nobody' }],
    });
  });

  test.each([
    ['5.1.3', 'nobody'],
    ['5.1.6', 'nobody'],
    ['5.2.1', 'nobody'],
    ['5.1.8', 'soft'],
    ['5.3.4', 'soft'],
    ['5.4.7', 'soft'],
    ['5.7.26', 'soft'],
    ['4.1.1', 'soft'],
    ['5.1.0', 'unclear'],
    ['', 'unclear'],
  ])('a failure with status %j is %s', async (status, finding) => {
    const fields = `Final-Recipient: rfc822; a@example.com\nAction: failed\n${status && `Status: ${status}\n`}`;
    expect(await read(report(fields))).toMatchObject({ reports: [{ finding }] });
  });

  test('an original recipient may still be written as SMTP carries it, or only look so', async () => {
    const fields = 'Original-Recipient: rfc822;a+2Bb@example.com\nAction: failed\nStatus: 5.1.1\n';
    expect(await read(report(fields))).toMatchObject({
      reports: [{ addresses: ['a+2Bb@example.com', 'a+b@example.com'] }],
    });
  });
});

describe('complaints', () => {
  const fields = (type: string, more = '') =>
    `Feedback-Type: ${type}\nUser-Agent: Reporter/1.0\nVersion: 1\n${more}`;

  test('name their recipients, or send our mail back', async () => {
    const named = fields('abuse', 'Original-Rcpt-To: <a@example.com>\nOriginal-Rcpt-To: b@example.com\n');
    expect(await read(report(named, { type: 'feedback-report' }))).toEqual({
      kind: 'read',
      reports: [
        { kind: 'complaint', addresses: ['a@example.com'] },
        { kind: 'complaint', addresses: ['b@example.com'] },
      ],
    });
    for (const after of ['', 'Content-Type: text/rfc822-headers\n\nTo: Reader <reader@example.com>']) {
      expect(await read(report(fields('abuse'), { type: 'feedback-report', after }))).toEqual({
        kind: 'read',
        reports: [{ kind: 'complaint', addresses: ['reader@example.com'] }],
      });
    }
  });

  test('are not what somebody took out of the junk folder', async () => {
    const text = report(fields('not-spam', 'Original-Rcpt-To: a@example.com\n'), { type: 'feedback-report' });
    expect(await read(text)).toEqual({ kind: 'read', reports: [] });
  });
});

describe('what is no report', () => {
  const inner = report('Final-Recipient: rfc822; a@example.com\nAction: failed\nStatus: 5.1.1\n');

  test.each([
    ['an ordinary mail', 'From: a@example.com\nSubject: Hello\n\nFinal-Recipient: rfc822; a@example.com\n'],
    ['nothing', ''],
    ['one within another mail', `Content-Type: message/rfc822\n\n${inner}`],
    [
      'one that a report without one quotes',
      `Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\nContent-Type: message/rfc822\n\n${inner}\n--x--\n`,
    ],
    ['more than a report holds', inner + 'x'.repeat(longestReport)],
    ['nesting without end', nested(2000)],
  ])('%s', async (_, text) => {
    expect(await read(text)).toMatchObject({ kind: 'unreadable' });
  });

  test('bytes of any kind end in an answer', async () => {
    const whole = bytes(inner);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.uint8Array({ maxLength: 40 }), async (at, noise) => {
        const torn = new Uint8Array([
          ...whole.subarray(0, at),
          ...noise,
          ...whole.subarray(at + noise.length),
        ]);
        expect(['read', 'unreadable']).toContain((await readBounce(torn)).kind);
      }),
      { numRuns: 200 },
    );
  });
});

function nested(depth: number): string {
  let text = '';
  for (let at = 0; at < depth; at++) {
    const type = at === 0 ? 'report; report-type=delivery-status' : 'mixed';
    text += `Content-Type: multipart/${type}; boundary=b${at}\n\n--b${at}\n`;
  }
  return text;
}
