import { type Measured, nameCommand, type SectionName, writeFigures } from './figures.ts';

/** `compare` measures nothing. */
type Bench = (args: string[]) => Promise<Measured | Measured[] | undefined>;

const benches: Record<string, { about: string; load(): Promise<Bench> }> = {
  serve: {
    about: 'files: our server beside nginx and sirv',
    load: async () => (await import('./serve.ts')).benchServe,
  },
  intake: {
    about: 'messages: durable posts beside the disk and bare SQLite',
    load: async () => (await import('./intake.ts')).benchIntake,
  },
  scale: {
    about:
      'several processes on one PostgreSQL beside one on SQLite: posts, pages, and whose CPU time they take',
    load: async () => (await import('./scale.ts')).benchScale,
  },
  newsletter: {
    about: 'sign-ups: whether the time of an answer tells if an address is known',
    load: async () => (await import('./newsletter.ts')).benchNewsletter,
  },
  growth: {
    about: "the owner's commands: time and memory from 10,000 messages to a million",
    load: async () => (await import('./growth.ts')).benchGrowth,
  },
  blog: {
    about: 'the build: what 500 posts add to it',
    load: async () => (await import('./blog.ts')).benchBlog,
  },
  pages: {
    about: 'every page in Lighthouse, beside its words alone and beside React at load',
    load: async () => (await import('./pages.ts')).benchPages,
  },
  interaction: {
    about: 'the first tap on what can be tapped, and the way from a link to the next page',
    load: async () => (await import('./interaction.ts')).benchInteraction,
  },
  compare: {
    about: 'what got worse since the run before, by more than its noise, of all that was kept with --figures',
    load: async () => (await import('./compare.ts')).benchCompare,
  },
};

const [name = '', ...given] = process.argv.slice(2);
const args = given.filter(one => one !== '--figures');
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench) {
  const measured = await (await bench.load())(args);
  if (measured && args.length < given.length) {
    const command = nameCommand('npm run bench', [name, ...args]);
    for (const one of [measured].flat()) writeFigures(one.section ?? (name as SectionName), command, one);
    process.stdout.write(
      '\nKept in bench/figures; docs/figures.md, docs/engineer/scale.md and README.md are made of it\n',
    );
  }
} else listBenches();

function listBenches(): void {
  const lines = Object.entries(benches).map(([known, { about }]) => `  ${known.padEnd(11)} ${about}\n`);
  process.stderr.write(
    `${name ? `There is no bench '${name}'. ` : ''}npm run bench -- <name>\n${lines.join('')}--figures keeps what was found, for docs/figures.md and for compare\n`,
  );
  process.exitCode = 1;
}
