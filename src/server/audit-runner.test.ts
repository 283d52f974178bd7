import { expect, onTestFinished, test } from 'vitest';
import { collectLog } from '../../tests/harness/site.ts';
import { createAuditRunner } from './audit-runner.ts';

const { log, lines } = collectLog();

function createRunner(maxMs = 10_000) {
  lines.length = 0;
  const file = new URL('../../tests/fakes/audit-thread.ts', import.meta.url);
  const runner = createAuditRunner({ ...{ log, maxMs, file, findContent: () => '' }, workerData: undefined });
  onTestFinished(() => runner.close());
  return {
    ...runner,
    events: runner.run,
    async run(domain: string): Promise<string[]> {
      const types: string[] = [];
      try {
        for await (const event of runner.run(domain)) types.push(event.type);
      } catch (error) {
        types.push((error as Error).message);
      }
      return types;
    },
  };
}

const whole = ['started', 'report'];

test('a crash of the thread ends every audit in it, and the next one has a new thread', async () => {
  const { run } = createRunner();
  expect(await Promise.all([run('one'), run('two')])).toEqual([whole, whole]);
  expect(await Promise.all([run('wait'), run('crash')])).toEqual([
    ['started', 'crashed'],
    ['started', 'crashed'],
  ]);
  expect(lines.join('')).toContain('"event":"audit thread ended","audits":2');
  expect(await run('three')).toEqual(whole);
});

test('a thread that hangs is ended, and the next audit has a new one', async () => {
  const { run } = createRunner(1500);
  expect((await run('hang')).at(-1)).toBe('an audit did not end in time');
  expect(await run('one')).toEqual(whole);
});

test('an error ends one audit, and a bug in a check none', async () => {
  const { run } = createRunner();
  expect(await Promise.all([run('throw'), run('bug')])).toEqual([['started', 'thrown'], whole]);
  expect(lines.join('')).toContain('"event":"audit check failed","check":"https","error":"Error: a bug');
});

test('what comes after its reader has failed is ignored', async () => {
  const runner = createRunner();
  for await (const { type } of runner.events('late')) {
    expect(type).toBe('started');
    break;
  }
  // Both messages of `late` come before the end of the second audit.
  expect(await runner.run('after')).toEqual(whole);
});

test('closing ends what runs', async () => {
  const { run, close } = createRunner();
  const running = run('wait');
  await run('one');
  await close();
  expect(await running).toEqual(['started', 'the server stops']);
  expect(lines).toEqual([]);
});
