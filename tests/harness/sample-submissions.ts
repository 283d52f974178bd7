import type { MessageInput } from '../../src/api/contract.ts';

/** A submitted message; `token` is the age of its form token in milliseconds. */
export type SentMessage = Partial<MessageInput> & {
  honeypot?: string;
  token?: number | 'forged';
  isForm?: boolean;
};

const day = 24 * 60 * 60 * 1000;
const sender = { name: 'Zoë Müller', email: 'zoe@mueller.example' };
const says = (message: string, more: SentMessage = {}): SentMessage => ({ ...sender, message, ...more });

/** What people write and how they send it, by what is special about it. None may be quarantined. */
export const legitimateMessages: Record<string, SentMessage> = {
  'a line': says('Please call me about an audit, +44 20 7946 0018.', { token: 40_000 }),
  'a name alone': { name: 'Zoë' },
  'no script': says('We were hacked last night.\r\nPlease help.', { isForm: true }),
  'no token': says('Our shop was defaced this morning, who can look at it today?'),
  'a token of yesterday': says('I left this page open overnight.', { token: day + 60_000 }),
  'a token that is not ours': says('My proxy changes headers.', { token: 'forged' }),
  'pasted at once': says('Do you test mobile apps? We have two of them.', { token: 700 }),
  'a screen reader that named the field': says('Is the report readable?', { honeypot: 'empty' }),
  'a name in the honeypot': says('I need a quote.', { honeypot: 'Zoë Müller', token: 1200 }),
  'a postal address in the honeypot': says('Where is your office?', {
    honeypot: 'Flat 12, Wellington House, 123 Long Meadow Road, Newcastle upon Tyne, NE1 4ST',
    isForm: true,
  }),
  'a list of links with a sample of markup, pasted': says(
    '<a href="https://evil.example/1">x</a> https://evil.example/2 https://evil.example/3',
    { token: 300 },
  ),
  'a sample of forum spam that they got': says(
    'Our form gets these every hour, can you stop it? [url=https://pills.example]cheap[/url]',
    { isForm: true },
  ),
  'a long text': says('A long story, told in full and with care. '.repeat(700), { token: 90_000 }),
  'a log with addresses': says(
    Array.from({ length: 40 }, (_, index) => `10.0.0.${index} GET https://mueller.example/${index} 404`).join(
      '\n',
    ),
    { token: 4000 },
  ),
  Chinese: says('您好，我们的网站 www.mueller.example 昨晚被攻击了，请尽快联系我们。', { token: 20_000 }),
  Arabic: says('مرحبا، نحتاج إلى اختبار اختراق لموقعنا في أقرب وقت ممكن، شكرا لكم.', { isForm: true }),
  'words that others use for spam': says(
    'We sell pharmacy supplies and casino software; Viagra offers were posted under our name. Free bitcoin, too.',
    { token: 30_000 },
  ),
};

const links = 'https://slots-1.example/win https://slots-2.example/win https://slots-3.example/win';

/** What bots send, by how they do it. Each must be quarantined. */
export const spamMessages: Record<string, SentMessage> = {
  'a link in every field': {
    name: 'https://pills.example',
    message: 'https://pills.example',
    honeypot: 'https://pills.example',
  },
  'anchors for a guest book': {
    name: 'Eugenia',
    message: `<a href="https://slots.example">slots</a> ${links}`,
    honeypot: '83127744612',
    isForm: true,
  },
  'an essay in the honeypot': {
    name: 'Ivan',
    message: 'Hello',
    honeypot: 'Dear owner of this site, I have an offer. '.repeat(4),
  },
  'markup in the honeypot': { message: 'Nice', honeypot: '[url=//pills.example]x[/url]', isForm: true },
  'a browser by remote control, with links': { message: links, honeypot: links, token: 350 },
  'a link in the honeypot, sent with patience': {
    message: 'I love it',
    honeypot: 'http://pills.example/?id=7',
    token: 60_000,
  },
};
