import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './harness/command.ts';
import { type Copy, copyProject } from './harness/process.ts';

let copy: Copy;
beforeAll(() => {
  copy = copyProject();
});
afterAll(() => copy[Symbol.asyncDispose]());

describe('a start fails with one line that says what to do:', () => {
  async function start(env: Record<string, string>): Promise<string> {
    const { code, err } = await runCommand(join(copy.folder, 'src/apps/cli/start.ts'), [], {
      ...{ PORT: '0', DATA_DIR: join(copy.folder, 'other') },
      ...env,
    });
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
    return err;
  }

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise(done => other.once('listening', done));
    const { port } = other.address() as AddressInfo;
    expect(await start({ PORT: String(port) })).toBe(
      `Error: port ${port} is in use, perhaps by the site in another window: stop it there with Ctrl+C, or change PORT.\n`,
    );
    other.close();
  });

  test('a data folder that cannot be written, or whose database is a folder', async () => {
    const taken = join(copy.folder, 'taken');
    writeFileSync(taken, '');
    expect(await start({ DATA_DIR: taken })).toContain(`cannot use the data folder ${taken}`);
    mkdirSync(join(copy.folder, 'odd/wardhouse.sqlite'), { recursive: true });
    expect(await start({ DATA_DIR: join(copy.folder, 'odd') })).toMatch(/cannot use the data folder .*: /);
  });

  test('a database that does not respond, without its password', async () => {
    const error = await start({ DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/name' });
    expect(error).toContain('cannot use the database at postgres://127.0.0.1:1/name');
    expect(error).not.toContain('secret');
  });

  test('no build, and content that none can be made of', async () => {
    rmSync(join(copy.folder, 'dist'), { recursive: true });
    const file = join(copy.folder, 'content/company.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^phone:.*$/m, 'phone: none'));
    expect(await start({})).toMatch(/content\/company.yaml line \d+: phone is 'none'/);
    writeFileSync(file, text);
  });
});
