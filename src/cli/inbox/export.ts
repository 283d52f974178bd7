import { searchMessages } from '../../domain/messages/search-messages.ts';
import { writeMessages } from '../../domain/messages/write-messages.ts';
import type { Wired } from '../../server/wire.ts';
import { isStandardOutput, writeOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { count, fail, note } from '../say.ts';
import { errorWidth } from '../terminal.ts';
import { type Call, readFilter, refuse } from './call.ts';

/** Page by page from the newest, so that it ends however many arrive meanwhile. */
export async function exportMessages({ store: { messages }, clock }: Wired, call: Call): Promise<void> {
  const { values, given } = call;
  const [path = ''] = given;
  if (values.csv === values.json) refuse('export writes --csv or --json: say which.');
  const { filter, words } = readFilter(call, clock.now());
  const isStandard = isStandardOutput(path);
  const isShown = errorWidth() !== undefined;
  const total = isShown && !words ? await messages.count(filter) : undefined;
  const progress = createProgress(words ? 'messages looked at' : 'messages written', total);
  let written = 0;

  async function* pages() {
    const found = words
      ? searchMessages({ messages, onRead: progress.draw }, filter, words)
      : messages.each(filter, 'newest');
    for await (const page of found) {
      yield page;
      written += page.length;
      if (!words) progress.draw(written);
    }
  }

  const parts = writeMessages(pages(), values.csv ? 'csv' : 'json');
  const mistake = await writeOutput(path, parts, values).finally(progress.clear);
  if (mistake) return fail(mistake);
  if (!isStandard) note(`${count(written, 'message')} ${written === 1 ? 'is' : 'are'} in ${path}.`);
  else if (isShown) note(`${count(written, 'message')} written.`);
}
