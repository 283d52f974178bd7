import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** `npm run sbom -- FILE`: what `npm ci --omit=dev` installs on any platform, from package-lock.json alone. */
const program = resolve(
  import.meta.dirname,
  'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js',
);
const [file] = process.argv.slice(2);

if (!file) fail('npm run sbom -- FILE writes the list of packages to FILE.');
if (!existsSync(program)) fail('this needs the packages of proof/: run npm ci --prefix proof first.');
const options = ['--package-lock-only', '--omit', 'dev', '--output-reproducible', '--no-validate'];
const { status } = spawnSync(process.execPath, [program, ...options, '--output-file', file], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function fail(reason: string): never {
  process.stderr.write(`Error: ${reason}\n`);
  process.exit(1);
}
