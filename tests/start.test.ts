import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paths } from '../src/site/paths.ts';
import { copyProject } from './harness/process.ts';
import { sendRaw } from './harness/raw-http.ts';
import { readSecurityTxt } from './harness/security-txt.ts';
import { root } from './harness/site.ts';

/** What `npm ci --omit=dev` installs, but for Node itself. */
const runtimePackages = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies,
);

describe('npm start', () => {
  test('serves the site without configuration and prints its URL and data folder', async () => {
    await using copy = copyProject();
    const server = copy.start();
    const address = await server.address();
    expect(server.output()).toContain(`Data is kept in ${join(copy.folder, 'data', 'wardhouse.sqlite')}`);
    expect(server.output()).not.toContain('Building');
    expect((await fetch(address)).status).toBe(200);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  test('warns that security.txt is about to expire, without a rebuild', async () => {
    await using copy = copyProject();
    const file = join(copy.folder, 'dist/site/.well-known/security.txt');
    const soon = new Date(Date.now() + 10 * 86_400_000).toISOString();
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^Expires: .*$/m, `Expires: ${soon}`));
    const server = copy.start();
    await server.address();
    expect(server.output()).toContain('"event":"security.txt expires soon","daysLeft":9');
    expect(server.output()).not.toContain('Building');
  });

  // What makes it build again differs; the build is most of the work, and is looked at for both.
  test('rebuilds when a setting or text of the pages differs, and warns about a missing governing law', {
    timeout: 120_000,
  }, async () => {
    await using copy = copyProject();
    const file = join(copy.folder, 'content/company.yaml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/^governingLaw:.*$/m, 'governingLaw: null')
        .replace(/^governingLawUnfilled:.*$/m, 'governingLawUnfilled: the law still to be named')
        .replace(/^securityContact:.*$/m, 'securityContact: reports@example.org')
        .replace(/^ {2}reply:.*$/m, '  reply: Before the tide turns')
        .replace(/^ {2}number: null$/m, '  number: "01234567"'),
    );
    const server = copy.start({ SITE_URL: 'https://www.example.com' });
    const address = await server.address();
    expect(server.output()).toMatch(
      /Building the site \(built for content \w+, SITE_URL \(none\), started for content \w+, SITE_URL https:\/\/www.example.com\)/,
    );
    expect(server.output()).toContain('warning: content/company.yaml: governingLaw is unfilled');
    expect((await fetch(address)).status).toBe(421);
    const ask = async (path: string) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`;
      return (await sendRaw(Number(new URL(address).port), request, 1)).text;
    };
    const home = await ask('/');
    expect(home).toMatch(/<link href="https:\/\/www.example.com\/" rel="canonical"/);
    expect(home).toMatch(/<meta content="https:\/\/www.example.com\/" property="og:url"/);
    expect(await ask('/sitemap.xml')).toContain('<loc>https://www.example.com/creator</loc>');
    expect(await ask('/nowhere')).not.toContain('canonical');
    const [, securityTxt = ''] = (await ask('/.well-known/security.txt')).split('\r\n\r\n');
    const fields = readSecurityTxt(securityTxt);
    expect(fields.Canonical).toEqual(['https://www.example.com/.well-known/security.txt']);
    expect(fields.Policy).toEqual([`https://www.example.com${paths.security}`]);

    expect(await ask(paths.terms)).toContain('governed by the law still to be named');
    const contact = await ask(paths.contact);
    expect(contact).toContain('Before the tide turns');
    expect(contact).toContain('01234567');
    expect(await ask(paths.security)).toContain('mailto:reports@example.org');
    expect(securityTxt).toContain('mailto:reports@example.org');
    // What is not filled is not named.
    expect(contact).not.toMatch(/Insurance|Memberships|VAT number/);
  });

  test('fails with every content error, and keeps the last good build', async () => {
    await using copy = copyProject();
    const file = join(copy.folder, 'content/company.yaml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/^email:.*$/m, 'email: nobody')
        .replace(/^phone:.*$/m, 'phone: none'),
    );
    const server = copy.start();
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(
      /content\/company.yaml line \d+: email is 'nobody', expected an email address/,
    );
    expect(server.output()).toMatch(/content\/company.yaml line \d+: phone is 'none'/);
    expect(server.output()).not.toMatch(/^\s+at /m);
    expect(readFileSync(join(copy.folder, 'dist/site/index.html'), 'utf8')).toContain('<h1');
    expect(existsSync(join(copy.folder, 'schemas/company.json'))).toBe(true);
  });

  test('fails with every page that violates the CSP or has a dead link', { timeout: 60_000 }, async () => {
    await using copy = copyProject();
    const replace = (file: string, from: string, to: string) => {
      const path = join(copy.folder, file);
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    };
    replace('src/site/pages/not-found.tsx', '<Eyebrow>', "<Eyebrow><i style={{ color: 'red' }}>!</i>");
    replace('content/privacy.md', '\n## ', '\nSee [this](/nowhere) and [that](#nothing).\n\n## ');
    const server = copy.start();
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(
      '/404 contains a style attribute on i, which its Content-Security-Policy forbids',
    );
    expect(server.output()).toMatch(
      /content\/privacy\.md line \d+: links to \/nowhere, which does not exist/,
    );
    expect(server.output()).toContain('/privacy links to /privacy#nothing, which does not exist');
    expect(server.output()).not.toMatch(/^\s+at /m);
  });

  test('without build tools serves a current build', async () => {
    await using copy = copyProject({ packages: runtimePackages });
    const address = await copy.start().address();
    expect((await fetch(`${address}/contact`)).status).toBe(200);
  });

  test('without build tools rejects a stale build', async () => {
    await using copy = copyProject({ packages: runtimePackages });
    const server = copy.start({ SITE_URL: 'https://www.example.com' });
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(
      'built for SITE_URL (none), started for SITE_URL https://www.example.com',
    );
    expect(lines(server.output())).toHaveLength(1);
  });

  test('without build tools and without a build prints what to do', async () => {
    await using copy = copyProject({ packages: runtimePackages });
    rmSync(join(copy.folder, 'dist'), { recursive: true });
    const server = copy.start();
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/there is no build yet.*npm run build/);
    expect(lines(server.output())).toHaveLength(1);
  });
});

describe('a failing start', () => {
  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise(done => other.once('listening', done));
    const { port } = other.address() as AddressInfo;
    await using copy = copyProject();
    const server = copy.start({ PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(lines(server.output()).at(-1)).toBe(
      `error: port ${port} is in use. Stop the other process or change PORT.`,
    );
    expect(server.output()).not.toMatch(/^\s+at /m);
    other.close();
  });

  test('a data folder that cannot be written', async () => {
    await using copy = copyProject();
    writeFileSync(join(copy.folder, 'taken'), '');
    const server = copy.start({ DATA_DIR: 'taken' });
    expect(await server.ended).toBe(1);
    expect(lines(server.output())).toHaveLength(1);
    expect(server.output()).toContain(`cannot use the data folder ${join(copy.folder, 'taken')}`);
  });

  test('a data folder whose database is a folder', async () => {
    await using copy = copyProject();
    mkdirSync(join(copy.folder, 'data/wardhouse.sqlite'), { recursive: true });
    const server = copy.start();
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/cannot use the data folder .*: /);
  });

  test('a database that does not respond, without its password', async () => {
    await using copy = copyProject();
    const server = copy.start({ DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/name' });
    expect(await server.ended).toBe(1);
    expect(lines(server.output())).toHaveLength(1);
    expect(server.output()).toContain('cannot use the database at postgres://127.0.0.1:1/name');
    expect(server.output()).not.toContain('secret');
  });

  test('configuration errors, all at once', async () => {
    await using copy = copyProject();
    const server = copy.start({ PORT: 'many', SITE_URL: 'example.com', DRAIN_MS: '-1' });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/PORT is 'many'[\s\S]*SITE_URL is 'example.com'[\s\S]*DRAIN_MS is '-1'/);
  });
});

function lines(output: string): string[] {
  return output.trim().split('\n');
}
