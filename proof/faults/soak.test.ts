import { expect, test } from 'vitest';
import { soak } from './families/soak.ts';
import { changeWhenLoaded } from './plant.ts';
import { tryFault } from './try-fault.ts';

const [halfLoad] = soak.faults;
const options = { seed: 1, isShort: false, share: 0.05 };

/** Every request stays in memory, with what it brought. */
const leaking = changeWhenLoaded({
  file: 'src/features/messages/api/contact.ts',
  place: '  const posted = parseMessageJson(body.text);\n',
  instead: `  const posted = parseMessageJson(body.text);
  ((globalThis as { kept?: unknown[] }).kept ??= []).push(request, body);\n`,
});

test('a server that leaks every request fails the soak, and the product passes', async () => {
  if (!halfLoad) throw new Error('there is no soak');
  const row = await tryFault('soak', { ...halfLoad, env: leaking }, 'SQLite', options);
  expect(row).toMatchObject({ lost: [], problems: [expect.stringMatching(/bytes of memory were retained/)] });
  const well = await tryFault('soak', halfLoad, 'SQLite', options);
  expect(well).toMatchObject({ lost: [], problems: [] });
});
