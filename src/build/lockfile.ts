import { readFileSync } from 'node:fs';

/** What package-lock.json says of one package. `dev`: the running server has no part of it. */
export type LockedPackage = {
  version: string;
  name?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

export type Lockfile = { root: LockedPackage; packages: Map<string, LockedPackage> };

/** Packages by the folder they are installed into. */
export function readLockfile(path: string): Lockfile {
  const { lockfileVersion, packages } = JSON.parse(readFileSync(path, 'utf8'));
  if (lockfileVersion !== 3) throw new Error(`${path} has version ${lockfileVersion}, expected 3`);
  const { '': root, ...others } = packages as Record<string, LockedPackage>;
  if (!root) throw new Error(`${path} does not say whose packages they are`);
  return { root, packages: new Map(Object.entries(others)) };
}

/** Under an alias, the folder is called otherwise than the package. */
export function nameOf(folder: string, { name }: LockedPackage): string {
  return name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** What `npm ci --omit=dev` installs: also what a package may use if it is there, such as the types of one. */
export function isOfServer({ dev }: LockedPackage): boolean {
  return !dev;
}

/** As Node looks for it: in the package's own folder first, then in each above it. */
export function findInstalled({ packages }: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const candidate = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
    if (packages.has(candidate)) return candidate;
    if (!folder) return undefined;
  }
}
