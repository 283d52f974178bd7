import { findInstalled, isOfServer, type LockedPackage, type Lockfile, nameOf } from './lockfile.ts';

/** Without a stamp, the same packages give the same text on every machine. */
export type Stamp = { serial: string; time: Date };

type Component = {
  type: 'application' | 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  scope?: 'required' | 'optional' | 'excluded';
  hashes?: { alg: string; content: string }[];
  licenses?: object[];
  properties?: { name: string; value: string }[];
};

export type Sbom = {
  $schema: string;
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber?: string;
  version: 1;
  metadata: { timestamp?: string; lifecycles: { phase: string }[]; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** The packages of the lockfile as CycloneDX: those of the running server, or of the build and the checks as well. */
export function createSbom(
  lockfile: Lockfile,
  { name, all, stamp }: { name: string; all: boolean; stamp?: Stamp },
): Sbom {
  const components = new Map<string, Component>();
  const needs = new Map<string, Set<string>>();
  const isListed = (locked: LockedPackage) => all || isOfServer(locked);

  function addNeeds(ref: string, folder: string, locked: LockedPackage): void {
    const known = needs.get(ref) ?? new Set();
    needs.set(ref, known);
    for (const other of neededNames(locked)) {
      const found = findInstalled(lockfile, folder, other);
      const package_ = found === undefined ? undefined : lockfile.packages.get(found);
      if (found !== undefined && package_ && isListed(package_)) known.add(purlOf(found, package_));
    }
  }

  const own = `pkg:npm/${encodeName(name)}@${encodeURIComponent(lockfile.root.version)}`;
  addNeeds(own, '', lockfile.root);
  for (const [folder, locked] of lockfile.packages) {
    if (!isListed(locked)) continue;
    const component = describe(folder, locked);
    const twin = components.get(component.purl);
    components.set(component.purl, twin ? merge(twin, component) : component);
    addNeeds(component.purl, folder, locked);
  }

  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    ...(stamp && { serialNumber: `urn:uuid:${stamp.serial}` }),
    version: 1,
    metadata: {
      ...(stamp && { timestamp: stamp.time.toISOString() }),
      lifecycles: [{ phase: 'pre-build' }],
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version: lockfile.root.version,
        purl: own,
        ...licencesOf(lockfile.root),
      },
    },
    components: [...components.values()].toSorted((a, b) => byText(a.purl, b.purl)),
    dependencies: [...needs]
      .map(([ref, known]) => ({ ref, dependsOn: [...known].sort(byText) }))
      .toSorted((a, b) => byText(a.ref, b.ref)),
  };
}

function neededNames(locked: LockedPackage): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = locked;
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies });
}

function describe(folder: string, locked: LockedPackage): Component {
  const purl = purlOf(folder, locked);
  return {
    type: 'library',
    'bom-ref': purl,
    name: nameOf(folder, locked),
    version: locked.version,
    purl,
    scope: locked.dev ? 'excluded' : locked.optional || locked.devOptional ? 'optional' : 'required',
    ...hashesOf(locked),
    ...licencesOf(locked),
    ...(locked.dev && { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] }),
  };
}

const scopes = ['required', 'optional', 'excluded'] as const;

/** The same release in two folders: as needed as where it is needed most. A copy inside another package has no hash. */
function merge(one: Component, other: Component): Component {
  const [first, second] = rank(one) <= rank(other) ? [one, other] : [other, one];
  const hashes = first.hashes ?? second.hashes;
  return { ...first, ...(hashes && { hashes }) };
}

function rank({ scope = 'required' }: Component): number {
  return scopes.indexOf(scope);
}

function purlOf(folder: string, locked: LockedPackage): string {
  return `pkg:npm/${encodeName(nameOf(folder, locked))}@${encodeURIComponent(locked.version)}`;
}

function encodeName(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

const algorithms: Record<string, string> = {
  sha512: 'SHA-512',
  sha384: 'SHA-384',
  sha256: 'SHA-256',
  sha1: 'SHA-1',
};

function hashesOf({ integrity = '' }: LockedPackage): Pick<Component, 'hashes'> {
  const hashes = integrity.split(/\s+/).flatMap(one => {
    const [, name = '', digest = ''] = /^(sha\d+)-([A-Za-z0-9+/]+=*)/.exec(one) ?? [];
    const alg = algorithms[name];
    return alg ? [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }] : [];
  });
  return hashes.length > 0 ? { hashes } : {};
}

/** Those that packages here have, as SPDX writes them: CycloneDX knows no others by id. */
const spdxIds = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC-BY-4.0 CC0-1.0 ISC MIT MIT-0 MPL-2.0 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
);

function licencesOf({ license }: LockedPackage): Pick<Component, 'licenses'> {
  if (!license) return {};
  const acknowledgement = 'declared';
  if (spdxIds.has(license)) return { licenses: [{ license: { id: license, acknowledgement } }] };
  const isExpression = license
    .split(/ (?:AND|OR) |[()]/)
    .every(part => part === '' || spdxIds.has(part.trim()));
  if (isExpression) return { licenses: [{ expression: license, acknowledgement }] };
  return { licenses: [{ license: { name: license, acknowledgement } }] };
}

/** The same everywhere, whatever the machine's language. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
