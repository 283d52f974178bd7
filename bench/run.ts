type Bench = (args: string[]) => Promise<void>;

const benches: Record<string, { about: string; load(): Promise<Bench> }> = {
  serve: {
    about: 'files: our server beside nginx and sirv',
    load: async () => (await import('./serve.ts')).benchServe,
  },
  intake: {
    about: 'messages: durable posts beside the disk and bare SQLite',
    load: async () => (await import('./intake.ts')).benchIntake,
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
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench) await (await bench.load())(args);
else listBenches();

function listBenches(): void {
  const lines = Object.entries(benches).map(([known, { about }]) => `  ${known.padEnd(11)} ${about}\n`);
  process.stderr.write(
    `${name ? `There is no bench '${name}'. ` : ''}npm run bench -- <name>\n${lines.join('')}`,
  );
  process.exitCode = 1;
}
