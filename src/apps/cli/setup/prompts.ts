import type { Readable, Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { confirm, intro, isCancel, log, note, outro, password, select, text } from '@clack/prompts';
import { replaceControls } from '../../../lib/control-characters.ts';

export class SetupCancelled extends Error {}

export type Streams = { input: Readable; output: Writable };

type Question = {
  message: string;
  /** An empty answer keeps it. */
  current: string;
  /** Shown in place of the present value, where that is a credential or unset. */
  hint?: string;
  /** The error of an answer. */
  validate?(answer: string): string | undefined;
  normalize?(answer: string): string;
};

export type Finding = { ok: string } | { problem: string };

export type Prompts = ReturnType<typeof createPrompts>;

export function createPrompts(streams: Streams) {
  const choose = <T extends string>(message: string, options: Record<T, string>, initialValue: NoInfer<T>) =>
    orCancel(
      select<string>({
        ...streams,
        message: replaceControls(message),
        options: Object.entries<string>(options).map(([value, label]) => ({ value, label })),
        initialValue,
      }),
    ) as Promise<T>;

  async function ask({ message, current, hint, validate, normalize = one => one }: Question) {
    const read = (typed: string | undefined) => normalize(typed?.trim() || current);
    const shown = replaceControls(hint ?? current);
    const answer = await orCancel(
      text({
        ...streams,
        message: replaceControls(message),
        placeholder: shown,
        defaultValue: hint === undefined ? shown : '',
        validate: typed => validate?.(read(typed)),
      }),
    );
    return hint === undefined && answer === shown ? current : read(answer);
  }

  return {
    ask,
    choose,
    confirm: (message: string) => orCancel(confirm({ ...streams, message: replaceControls(message) })),
    /** Masked. An empty answer keeps the present one. */
    async askPassword(message: string, current: string) {
      const validate = (typed?: string) => (typed || current ? undefined : 'is empty');
      return (
        (await orCancel(password({ ...streams, message: replaceControls(message), validate }))) || current
      );
    },
    begin: (title: string) => intro(title, streams),
    end: (line: string) => outro(replaceControls(line), streams),
    inform: (line: string) => log.info(replaceControls(line), streams),
    succeed: (line: string) => log.success(replaceControls(line), streams),
    warn: (line: string) => log.warn(replaceControls(line), streams),
    list: (title: string, lines: readonly string[]) =>
      note(lines.map(replaceControls).join('\n'), replaceControls(title), streams),

    /** Asks until the answer passes its check, is kept anyway, or is left out, which returns the present one.
     * What was not changed is only reported on. */
    async askChecked<T>(
      current: T,
      askFor: (previous: T) => Promise<T>,
      check: (answer: T) => Promise<Finding | undefined>,
    ): Promise<T> {
      for (let previous = current; ; ) {
        const answer = await askFor(previous);
        const finding = await check(answer);
        if (!finding) return answer;
        if ('ok' in finding) {
          this.succeed(finding.ok);
          return answer;
        }
        this.warn(finding.problem);
        if (isDeepStrictEqual(answer, current)) return current;
        const next = await choose(
          'What would you like to do?',
          {
            again: 'Try again',
            keep: 'Keep it anyway',
            leave: 'Leave it out: stay with what was set before',
          },
          'again',
        );
        if (next === 'keep') return answer;
        if (next === 'leave') return current;
        previous = answer;
      }
    },
  };
}

async function orCancel<T>(asked: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await asked;
  if (isCancel(answer)) throw new SetupCancelled();
  return answer as Exclude<T, symbol>;
}
