import { test } from 'vitest';
import { shareBrowser } from '../../tests/harness/browser.ts';
import { startDesk } from '../../tests/harness/desk.ts';
import { expectInert } from '../../tests/harness/inert-messages.ts';
import { injections } from './corpus.ts';

test('the desk shows every injection as text', async () => {
  await using desk = await startDesk();
  await expectInert(
    desk,
    await shareBrowser(),
    injections.map(({ text }) => text),
  );
});
