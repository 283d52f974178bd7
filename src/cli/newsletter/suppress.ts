import { suppressSubscriber, unsuppressSubscriber } from '../../domain/newsletter/suppress-subscriber.ts';
import { eraseSubscriber } from '../../domain/privacy/erase-subscriber.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';

type Values = Flags<'json'>;

export async function suppress(services: Services, address: string, values: Values): Promise<void> {
  const { kind } = await suppressSubscriber(services.domainDeps, address, 'owner');
  if (values.json) printJson({ address, result: kind });
  if (kind === 'invalid address') return printInvalidAddress(address);
  if (values.json) return;
  printNote(
    kind === 'already suppressed'
      ? `${address} is already suppressed`
      : `${address} suppressed. To undo: npm run newsletter -- unsuppress ${address}`,
  );
}

const unsuppressedTexts = {
  confirmed: 'is confirmed again and receives the next issue.',
  unsubscribed: 'is no longer suppressed. It is unsubscribed: only its owner can sign up again.',
  deleted: 'is no longer suppressed; nothing else is stored about it.',
} as const;

export async function unsuppress(services: Services, address: string, values: Values): Promise<void> {
  const result = await unsuppressSubscriber(services.domainDeps, address);
  if (values.json)
    printJson({ address, result: result.kind, ...('state' in result && { state: result.state }) });
  if (result.kind === 'invalid address') return printInvalidAddress(address);
  if (result.kind === 'not suppressed') return printError(`${address} is not suppressed`);
  if (!values.json) printNote(`${address} ${unsuppressedTexts[result.state]}`);
}

export async function erase(services: Services, address: string, values: Values): Promise<void> {
  const { kind } = await eraseSubscriber(services.domainDeps, address);
  if (values.json) printJson({ address, result: kind });
  if (kind === 'invalid address') return printInvalidAddress(address);
  if (kind === 'unknown') return printError(`no data found for ${address}`);
  if (values.json) return;
  printNote(`${address} erased from the newsletter. A keyed hash remains, so that no import adds it again.`);
  printNote(`To erase messages and mail files as well: npm run privacy -- erase ${address}`);
}

function printInvalidAddress(address: string): void {
  printError(`'${address}' is not a valid email address`);
}
