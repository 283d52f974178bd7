import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Figure, formatFigures, type Measurement, writeResult } from './figures.ts';

/** Its figures, or those of several sections. */
type Bench = (args: string[]) => Promise<Figure[] | Record<string, Measurement>>;
type Proof =
  | { bench(): Promise<Bench> }
  /** Test files under proof/, run by vitest. */
  | { tests: string[] }
  /** A script that reads its own arguments. */
  | { script: string }
  | { suites: string[]; only?: string };

/** What each does is said in README.md. */
const proofs: Record<string, Proof> = {
  serve: { bench: async () => (await import('./bench/serve.ts')).benchServe },
  intake: { bench: async () => (await import('./bench/intake.ts')).benchIntake },
  scale: { bench: async () => (await import('./bench/scale.ts')).benchScale },
  audits: { bench: async () => (await import('./bench/audits.ts')).benchAudits },
  size: { bench: async () => (await import('./bench/size.ts')).benchSize },
  search: { bench: async () => (await import('./bench/search.ts')).benchSearch },
  lighthouse: { bench: async () => (await import('./bench/lighthouse.ts')).benchLighthouse },
  interaction: { bench: async () => (await import('./bench/interaction.ts')).benchInteraction },
  faults: { script: 'faults/run.ts' },
  'planted-bugs': {
    tests: ['planted-bugs', 'soak', 'compare', 'disk-model'].map(name => `faults/${name}.test.ts`),
  },
  'newsletter-kills': { tests: ['faults/newsletter-kills.test.ts'] },
  'slow-clients': { tests: ['slow-clients.test.ts'] },
  exhaustion: { tests: ['exhaustion.test.ts'] },
  fuzz: { tests: ['fuzz'] },
  injections: { tests: ['injections'] },
  browsers: { tests: ['browsers'] },
  observatory: { tests: ['observatory.test.ts'] },
  'audit-observatory': { tests: ['audit-observatory.test.ts'] },
  'audit-servers': { tests: ['audit-servers.test.ts'] },
  'audit-browser': { tests: ['audit-browser.test.ts'] },
  'audit-mail-records': { tests: ['audit-mail-records.test.ts'] },
  secrets: { tests: ['secrets.test.ts'] },
  deploy: { tests: ['deploy.test.ts', 'deploy-slow-clients.test.ts'] },
  recipe: { tests: ['recipe.test.ts'] },
  postgres: { suites: ['unit', 'integration'] },
  desk: { suites: ['integration', 'browser'], only: 'desk' },
  'desk-screenshots': { script: 'desk-screenshots.ts' },
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
  const env: Record<string, string> = 'suites' in proof ? { TEST_DATABASE: 'PostgreSQL' } : {};
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
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const about = new Map(
    Array.from(readme.matchAll(/^\| `([\w-]+)` \| ([^|]+) \|/gm), ([, one, what]) => [one, what]),
  );
  const lines = Object.keys(proofs).map(
    known => `  ${known.padEnd(18)} ${about.get(known)?.split(/[;:(]/)[0]}\n`,
  );
  const unknown = name ? `There is no proof '${name}'. ` : '';
  process.stderr.write(
    `${unknown}npm run proof -- NAME [options] [--figures]\n${lines.join('')}--figures writes proof/results/NAME.json and docs/figures.md\n`,
  );
  process.exitCode = 1;
}
