import { afterEach, expect, test, vi } from 'vitest';
import { describeRefusal } from './describe-refusal.ts';
import { sendMessage } from './send-message.ts';

afterEach(() => vi.unstubAllGlobals());

const message = { fields: { message: 'Hello' }, key: 'key', honeypot: '', token: undefined };
const unexplained = 'was not accepted';

test.each<[number, Record<string, string>, string]>([
  [204, {}, unexplained],
  [500, {}, unexplained],
  [413, {}, 'too long for this form'],
  [429, { 'retry-after': '200' }, 'please try again in 4 minutes'],
  [429, { 'retry-after': '7' }, 'please try again in one minute'],
  [429, {}, 'please try again in a few minutes'],
  [503, { 'retry-after': '5' }, 'couldn’t save your message'],
])(
  'a message that is answered with %i %j is refused, and the visitor is told what to do next',
  async (...row) => {
    const [status, headers, words] = row;
    vi.stubGlobal('fetch', async () => new Response(status === 204 ? null : '{}', { status, headers }));
    const result = await sendMessage(message, AbortSignal.timeout(1000));
    expect(result.kind === 'refused' ? describeRefusal(result) : result.kind).toContain(words);
  },
);

test.each([502, 503, 504])(
  'a message that a proxy answers with %i for the server is sent again',
  async status => {
    vi.stubGlobal('fetch', async () => new Response('<h1>Bad Gateway</h1>', { status }));
    expect(await sendMessage(message, new AbortController().signal)).toEqual({ kind: 'offline' });
  },
);
