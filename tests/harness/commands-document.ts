import { siteActions } from '../../src/apps/actions/list-actions.ts';
import { listPagePaths } from '../../src/apps/build/create-page-settings.ts';
import type { Action, ActionList } from '../../src/core/action.ts';
import { features } from '../../src/features.ts';

type Documented = { script: string; loaded: Action | ActionList };
type Line = { command: string; comment: string };

const intro = `# Commands

What [the desk](desk.md) does, for a terminal or a schedule. Type the commands in the site's folder, on the machine that runs it. Add \`--help\` to any of them for an explanation. Times are in UTC.
`;
const siteTitle = 'Publishing, backup and checks';
/** The comments of longer lines are not below the others. */
const maxAligned = 62;

async function loadCommands(): Promise<Documented[]> {
  const registered = [...features.map(({ actions }) => actions), siteActions];
  const loaders = registered.flatMap(commands => Object.entries(commands ?? {}));
  return Promise.all(
    loaders.map(async ([script, load]) => ({ script, loaded: await load(features, listPagePaths) })),
  );
}

function listLines({ script, loaded }: Documented): Line[] {
  const isList = 'actions' in loaded;
  return (isList ? loaded.actions : [loaded]).flatMap(({ name, about, examples }) =>
    examples.map((args, index) => ({
      command: `${script} ${isList ? `${name} ` : ''}${args}`.trim(),
      comment: index === 0 ? about.replace(/\.\s.*/s, '') : '',
    })),
  );
}

/** Such as 'inbox list --state new'. */
export async function listExamples(): Promise<string[]> {
  return (await loadCommands()).flatMap(listLines).map(({ command }) => command);
}

/** Such as 'inbox list', and 'backup'. */
export async function listActions(): Promise<string[]> {
  return (await loadCommands()).flatMap(({ script, loaded }) =>
    'actions' in loaded ? loaded.actions.map(({ name }) => `${script} ${name}`) : [script],
  );
}

/** The text of docs/owner/commands.md. */
export async function formatCommands(): Promise<string> {
  const commands = await loadCommands();
  const sections = commands.flatMap(documented => {
    const { loaded } = documented;
    if (!('actions' in loaded)) return [];
    return [`## ${loaded.title}\n\n${formatLines(listLines(documented))}\n\n${loaded.notes}\n`];
  });
  const rest = commands.filter(({ loaded }) => !('actions' in loaded)).flatMap(listLines);
  return [intro, ...sections, `## ${siteTitle}\n\n${formatLines(rest)}\n`].join('\n');
}

function formatLines(lines: readonly Line[]): string {
  const written = lines.map(({ command, comment }) => ({ text: toShell(command), comment }));
  const width = Math.max(...written.map(({ text: { length } }) => (length > maxAligned ? 0 : length)));
  return written
    .map(({ text, comment }) => `    ${comment ? `${text.padEnd(width)}   # ${comment}` : text}`)
    .join('\n');
}

/** npm's own lines are no part of a file. */
function toShell(command: string): string {
  const [script = '', ...args] = command.split(' ');
  const run = args.includes('>') ? 'npm run -s' : 'npm run';
  return args.length > 0 ? `${run} ${script} -- ${args.join(' ')}` : `${run} ${script}`;
}
