import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, startSite, type TestSite } from './harness/site.ts';

type Headers = Record<string, string | string[] | undefined>;

/** The post that explains this site's own headers: what it quotes is what the server sends, and nothing is left out. */
const slug = 'reading-your-own-sites-security-headers';
const file = join(root, `content/blog/2026-11-02-${slug}.md`);
/** An owner may take it away: then nothing is claimed. */
const post = existsSync(file) ? readFileSync(file, 'utf8') : '';
/** Whose site is hosted otherwise keeps it back: its page is then one that is not there. */
const isDraft = /^draft: true$/m.test(post);
const quoted = readQuoted(post);
const absent = ['Set-Cookie', 'X-Frame-Options', 'X-XSS-Protection', 'X-Powered-By'];
/** How an answer is carried, which the post does not speak of. */
const carried = 'connection content-length content-type date etag keep-alive vary'.split(' ');

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://www.example.com' });
});
afterAll(() => site?.[Symbol.asyncDispose]());

describe.skipIf(!post)('the post on our own headers', () => {
  test.each([
    ['/', 200],
    [`/blog/${slug}`, isDraft ? 404 : 200],
    ['/nowhere', 404],
  ])('quotes every header of %s as it is sent', async (path, status) => {
    const sent = Object.entries(await askHeaders(path, status)).filter(([name]) => !carried.includes(name));
    expect(Object.fromEntries(sent.map(([name, value]) => [name, withoutDigest(String(value))]))).toEqual(
      quoted,
    );
  });

  test('does not call a header missing that is sent', async () => {
    const sent = await askHeaders('/');
    const [, section = ''] = post.split('## What is not there');
    for (const name of absent) {
      expect(section).toContain(`\`${name}\``);
      expect(sent).not.toHaveProperty(name.toLowerCase());
    }
  });

  test('is right about the headers of shared images and form responses', async () => {
    expect(await askHeaders('/icon.svg')).toHaveProperty('cross-origin-resource-policy', 'cross-origin');
    expect(await askHeaders('/api/contact', 405)).toHaveProperty('cache-control', 'no-store');
  });

  test('gives the right number of permissions', () => {
    const abilities = quoted['permissions-policy']?.split(', ').length;
    expect(post).toContain(`Switches off ${abilities} abilities`);
  });
});

/** The headers in its http blocks; a line that begins with spaces belongs to the one above. */
function readQuoted(post: string): Record<string, string> {
  const blocks = [...post.matchAll(/^```http\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const lines = blocks.flatMap(text => text.replaceAll(/\n +/g, ' ').trim().split('\n'));
  return Object.fromEntries(lines.map(splitHeader));
}

function splitHeader(line: string): [name: string, value: string] {
  const [name = '', ...value] = line.split(': ');
  return [name.toLowerCase(), value.join(': ')];
}

/** Each page has one of its own. */
function withoutDigest(value: string): string {
  return value.replace(/'sha256-[A-Za-z0-9+/]{43}='/, "'sha256-…'");
}

function askHeaders(path: string, status = 200): Promise<Headers> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${site.origin}${path}`,
      { method: 'HEAD', headers: { Host: 'www.example.com' } },
      response => {
        response.resume();
        if (response.statusCode === status) resolve(response.headers);
        else reject(new Error(`${path} was answered with ${response.statusCode}`));
      },
    );
    outgoing.on('error', reject).end();
  });
}
