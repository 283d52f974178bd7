import { once } from 'node:events';
import { openTestStore } from '../../../tests/harness/stores.ts';

/** Searches for what no message has while it is told to, in a process of its own, as the desk and the commands do. */
const [dataDir = '', databaseUrl] = process.argv.slice(2);
const store = await openTestStore({
  dataDir,
  databaseUrl,
  onError(error) {
    throw error;
  },
});
let isSearching = false;
process.on('message', message => {
  ({ isSearching } = message as { isSearching: boolean });
});
process.send?.('ready');
for (;;) {
  if (!isSearching) await once(process, 'message');
  for await (const _ of store.messages.search(['qq'], {})) if (!isSearching) break;
}
