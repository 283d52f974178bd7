import { suppressSubscriber } from '../../domain/newsletter/suppress-subscriber.ts';
import { unsuppressSubscriber } from '../../domain/newsletter/unsuppress-subscriber.ts';
import { eraseSubscriberData } from '../../domain/privacy/erase-subscriber-data.ts';
import type { Wired } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';

type Values = Flags<'json'>;

export async function suppress(wired: Wired, address: string, values: Values): Promise<void> {
  const { kind } = await suppressSubscriber(depsOf(wired), address, 'owner');
  if (values.json) printJson({ address, result: kind });
  if (kind === 'impossible') return failImpossible(address);
  if (values.json) return;
  printNote(
    kind === 'already'
      ? `${address} was suppressed already.`
      : `Nothing will be sent to ${address} any more, until you say unsuppress.`,
  );
}

const lifted = {
  confirmed: 'is confirmed again, and gets the next issue.',
  pending: 'is no longer suppressed, and has not confirmed yet.',
  unsubscribed:
    'is no longer suppressed. It is unsubscribed: only its owner can ask for the newsletter again.',
  suppressed: 'is still suppressed.',
  forgotten: 'is no longer suppressed, and nothing is known of it.',
} as const;

export async function unsuppress(wired: Wired, address: string, values: Values): Promise<void> {
  const result = await unsuppressSubscriber(depsOf(wired), address);
  if (values.json)
    printJson({ address, result: result.kind, ...('state' in result && { state: result.state }) });
  if (result.kind === 'impossible') return failImpossible(address);
  if (result.kind === 'not suppressed') return printError(`${address} is not suppressed.`);
  if (!values.json) printNote(`${address} ${lifted[result.state]}`);
}

export async function erase(wired: Wired, address: string, values: Values): Promise<void> {
  const { store, audit, ledger } = wired;
  const { kind } = await eraseSubscriberData(
    { ...depsOf(wired), privacy: store.privacy, audit, ledger },
    address,
  );
  if (values.json) printJson({ address, result: kind });
  if (kind === 'impossible') return failImpossible(address);
  if (kind === 'unknown') return printError(`Nothing is known of ${address}.`);
  if (values.json) return;
  printNote(
    `${address} was erased from the newsletter. A keyed hash stays, so that no import brings it back.`,
  );
  printNote(
    `Messages, and mails that were written as files, are reached by: npm run privacy -- erase ${address}`,
  );
}

function depsOf({ store: { subscribers }, clock, newsletter: { naming } }: Wired) {
  return { subscribers, clock, newsletter: naming };
}

function failImpossible(address: string): void {
  printError(`'${address}' is not an address that mail can be sent to.`);
}
