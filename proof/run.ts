import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { type Figure, formatFigures, type Measurement, writeResult } from './figures.ts';

/** Its figures, or those of several sections. */
type Bench = (args: string[]) => Promise<Figure[] | Record<string, Measurement>>;
type Proof = { about: string } & (
  | { bench(): Promise<Bench> }
  /** Test files under proof/, run by vitest. */
  | { tests: string[] }
  /** A script that reads its own arguments. */
  | { script: string }
  | { suites: string[]; only?: string; env: Record<string, string> }
);

const proofs: Record<string, Proof> = {
  serve: {
    about: 'files: our server beside nginx and sirv',
    bench: async () => (await import('./bench/serve.ts')).benchServe,
  },
  intake: {
    about: 'messages: durable posts beside a bare node:http with the same group commit',
    bench: async () => (await import('./bench/intake.ts')).benchIntake,
  },
  scale: {
    about: 'several processes on one PostgreSQL beside one on SQLite',
    bench: async () => (await import('./bench/scale.ts')).benchScale,
  },
  newsletter: {
    about: 'sign-ups: whether the response time tells if an address is known',
    bench: async () => (await import('./bench/newsletter.ts')).benchNewsletter,
  },
  audits: {
    about: 'pages and messages while as many audits run and wait as one process allows',
    bench: async () => (await import('./bench/audits.ts')).benchAudits,
  },
  size: {
    about: 'lines, packages, and the seconds of npm ci, npm start and npm test in fresh clones',
    bench: async () => (await import('./bench/size.ts')).benchSize,
  },
  search: {
    about: 'searches and lists of the inbox from 10,000 messages to a million, and posts during a search',
    bench: async () => (await import('./bench/search.ts')).benchSearch,
  },
  lighthouse: {
    about: 'every page in Lighthouse as released, beside its words alone and a peer (--peer FOLDER)',
    bench: async () => (await import('./bench/lighthouse.ts')).benchLighthouse,
  },
  interaction: {
    about: 'the first tap, and the time from a link to the next page',
    bench: async () => (await import('./bench/interaction.ts')).benchInteraction,
  },
  faults: {
    about: 'kills, failing disks, power cuts, lost databases, wrong clocks, overload, under load',
    script: 'faults/run.ts',
  },
  'planted-bugs': {
    about: 'fault injection finds bugs that were planted in a copy of the product',
    tests: [
      'faults/planted-bugs.test.ts',
      'faults/soak.test.ts',
      'faults/compare.test.ts',
      'faults/disk-model.test.ts',
    ],
  },
  'newsletter-kills': {
    about: 'a newsletter issue for 10,000 subscribers through kill -9, on both databases',
    tests: ['faults/newsletter-kills.test.ts'],
  },
  'slow-clients': {
    about: '500 slow clients beside other visitors',
    tests: ['slow-clients.test.ts', 'faults/slow-clients.test.ts'],
  },
  exhaustion: {
    about: 'CPU time of tiny chunks',
    tests: ['exhaustion.test.ts'],
  },
  fuzz: { about: '100,000 requests of any kind, and the parsers', tests: ['fuzz'] },
  injections: {
    about: 'a corpus of injections through every form into every copy',
    tests: ['injections'],
  },
  browsers: {
    about: 'the journeys of visitors in Chromium, Firefox and WebKitGTK',
    tests: ['browsers'],
  },
  observatory: { about: "every page in Mozilla's HTTP Observatory", tests: ['observatory.test.ts'] },
  'audit-observatory': {
    about: "our audit beside Mozilla's HTTP Observatory on the websites of the corpus",
    tests: ['audit-observatory.test.ts'],
  },
  'audit-servers': {
    about:
      'our audit of real BIND, Unbound, nginx and Postfix, beside delv, curl, OpenSSL and posttls-finger',
    tests: ['audit-servers.test.ts'],
  },
  'audit-browser': {
    about: 'our audit beside Chromium: insecure parts of pages, and certificates',
    tests: ['audit-browser.test.ts'],
  },
  'audit-mail-records': {
    about: "our reading of SPF and DMARC beside pyspf, mailauth and OpenSPF's cases",
    tests: ['audit-mail-records.test.ts'],
  },
  secrets: { about: 'secretlint over every file of the repository', tests: ['secrets.test.ts'] },
  deploy: {
    about: 'the nginx and Caddy recipes with the real programs, and slowhttptest through both',
    tests: ['deploy.test.ts', 'deploy-slow-clients.test.ts'],
  },
  recipe: {
    about: 'install, first start, publish and reboot in a fresh folder, as the README says',
    tests: ['recipe.test.ts'],
  },
  postgres: {
    about: 'the unit and integration tests of `npm test` on PostgreSQL alone',
    suites: ['unit', 'integration'],
    env: { TEST_DATABASE: 'PostgreSQL' },
  },
  desk: {
    about: 'the tests of the desk, those in a browser included, on PostgreSQL',
    suites: ['integration', 'browser'],
    only: 'desk',
    env: { TEST_DATABASE: 'PostgreSQL' },
  },
  'desk-screenshots': {
    about: 'every view of the desk at three widths, to look at, in screenshots/desk',
    script: 'desk-screenshots.ts',
  },
};

const root = resolve(import.meta.dirname, '..');
const [name = '', ...given] = process.argv.slice(2);
const args = given.filter(one => one !== '--figures');
const writesFigures = args.length < given.length;
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (!proof) listProofs();
else if ('bench' in proof) await runBench(await proof.bench());
else if ('script' in proof) run([join(import.meta.dirname, proof.script), ...given], {});
else {
  const target =
    'tests' in proof
      ? ['--config', 'proof/vitest.config.ts', ...proof.tests.map(one => `proof/${one}`)]
      : [...proof.suites.flatMap(suite => ['--project', suite]), ...(proof.only ? [proof.only] : [])];
  const env = 'env' in proof ? proof.env : {};
  run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...target, ...args], {
    ...env,
    ...(writesFigures && { FIGURES: 'on' }),
  });
}

async function runBench(bench: Bench): Promise<void> {
  const measured = await bench(args);
  const sections = Array.isArray(measured) ? { [name]: { figures: measured } } : measured;
  for (const [section, { figures, ...about }] of Object.entries(sections)) {
    process.stdout.write(`\n${section}\n${formatFigures(figures)}`);
    if (writesFigures) writeResult(section, figures, args, about);
  }
}

function run(command: string[], env: Record<string, string>): void {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } } as const;
  process.exitCode = spawnSync(process.execPath, command, options).status ?? 1;
}

function listProofs(): void {
  const lines = Object.entries(proofs).map(([known, { about }]) => `  ${known.padEnd(17)} ${about}\n`);
  const unknown = name ? `There is no proof '${name}'. ` : '';
  process.stderr.write(
    `${unknown}npm run proof -- NAME [options] [--figures]\n${lines.join('')}--figures writes proof/results/NAME.json and docs/figures.md\n`,
  );
  process.exitCode = 1;
}
