import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LockedPackage, type Lockfile, readLockfile } from './lockfile.ts';
import { createSbom, type Sbom } from './sbom.ts';

const ours = readLockfile(resolve(import.meta.dirname, '../../package-lock.json'));
const options = { name: 'wardhouse', all: false };

describe.each([
  ['the running server', false],
  ['everything', true],
])('the list of %s', (_, all) => {
  const list = createSbom(ours, { ...options, all });

  test('is CycloneDX 1.6', () => expect(findFaults(list)).toEqual([]));

  test('has every package once, and reaches each from the site', () => {
    const locked = [...ours.packages].filter(([, { dev }]) => all || !dev);
    expect(locked.length).toBeGreaterThan(50);
    const names = new Set(
      locked.map(
        ([folder, { name, version }]) => `${name ?? folder.split('node_modules/').at(-1)}@${version}`,
      ),
    );
    expect(new Set(list.components.map(({ name, version }) => `${name}@${version}`))).toEqual(names);
    const reached = new Set(list.dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect(list.components.filter(({ purl }) => !reached.has(purl))).toEqual([]);
  });

  test('is the same text again, and names no place packages come from', () => {
    const text = JSON.stringify(list);
    expect(JSON.stringify(createSbom(ours, { ...options, all }))).toBe(text);
    expect(text.replace(list.$schema, '')).not.toMatch(/https?:/);
  });
});

test('what the server needs has its licence and the hash by which npm checks it', () => {
  const list = createSbom(ours, options);
  expect(list.components.filter(({ licenses, hashes }) => !licenses || !hashes)).toEqual([]);
  const hono = list.components.find(({ name }) => name === '@hono/node-server');
  const locked = ours.packages.get('node_modules/@hono/node-server') as LockedPackage;
  expect(hono).toMatchObject({
    purl: `pkg:npm/%40hono/node-server@${locked.version}`,
    scope: 'required',
    licenses: [{ license: { id: 'MIT', acknowledgement: 'declared' } }],
  });
  const [hash] = hono?.hashes ?? [];
  expect(`sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`).toBe(locked.integrity);
});

test('a stamp gives it a time and a number of its own', () => {
  const stamp = { serial: '3e671687-395b-41f5-a30f-a58921a69b79', time: new Date('2026-01-02T03:04:05Z') };
  const list = createSbom(ours, { ...options, stamp });
  expect(findFaults(list)).toEqual([]);
  expect(list.serialNumber).toBe(`urn:uuid:${stamp.serial}`);
  expect(list.metadata.timestamp).toBe('2026-01-02T03:04:05.000Z');
});

test('two releases of one name, a copy inside a package, an alias and odd licences', () => {
  const lockfile: Lockfile = {
    root: { version: '1.0.0', dependencies: { a: '*', called: '*' }, devDependencies: { tool: '*' } },
    packages: new Map<string, LockedPackage>([
      [
        'node_modules/a',
        { version: '1.0.0+build', license: 'MIT OR Apache-2.0', dependencies: { b: '1', c: '*' } },
      ],
      ['node_modules/a/node_modules/b', { version: '1.0.0', license: 'SEE LICENSE IN text' }],
      ['node_modules/b', { version: '2.0.0', dev: true }],
      ['node_modules/c', { version: '3.0.0', integrity: 'sha1-AAAA sha512-BBBB', optional: true }],
      ['node_modules/called', { version: '3.0.0', name: '@other/name', peerDependencies: { tool: '*' } }],
      ['node_modules/tool', { version: '1.0.0', dev: true, dependencies: { b: '2', c: '*' } }],
      ['node_modules/tool/node_modules/c', { version: '3.0.0', dev: true, inBundle: true }],
    ]),
  };
  const list = createSbom(lockfile, { name: 'site', all: true });
  expect(Object.fromEntries(list.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))).toEqual({
    'pkg:npm/site@1.0.0': ['pkg:npm/%40other/name@3.0.0', 'pkg:npm/a@1.0.0%2Bbuild', 'pkg:npm/tool@1.0.0'],
    'pkg:npm/a@1.0.0%2Bbuild': ['pkg:npm/b@1.0.0', 'pkg:npm/c@3.0.0'],
    'pkg:npm/b@1.0.0': [],
    'pkg:npm/b@2.0.0': [],
    'pkg:npm/c@3.0.0': [],
    'pkg:npm/%40other/name@3.0.0': ['pkg:npm/tool@1.0.0'],
    'pkg:npm/tool@1.0.0': ['pkg:npm/b@2.0.0', 'pkg:npm/c@3.0.0'],
  });
  const find = (ref: string) => list.components.find(({ purl }) => purl === ref);
  expect(find('pkg:npm/c@3.0.0')).toMatchObject({
    scope: 'optional',
    hashes: [{ alg: 'SHA-1' }, { alg: 'SHA-512' }],
  });
  expect(find('pkg:npm/a@1.0.0%2Bbuild')?.licenses).toEqual([
    { expression: 'MIT OR Apache-2.0', acknowledgement: 'declared' },
  ]);
  expect(find('pkg:npm/b@1.0.0')?.licenses).toEqual([
    { license: { name: 'SEE LICENSE IN text', acknowledgement: 'declared' } },
  ]);
  const ofServer = createSbom(lockfile, { name: 'site', all: false });
  expect(ofServer.components.map(({ name }) => name)).toEqual(['@other/name', 'a', 'b', 'c']);
});

test('the check of the form finds what is wrong', () => {
  const list = createSbom(ours, options);
  const [first] = list.components as [Sbom['components'][number]];
  const broken: [string, object][] = [
    ['specVersion', { specVersion: '1.5' }],
    ['serialNumber', { serialNumber: '1' }],
    ['twice', { components: [first, first] }],
    ['hash', { components: [{ ...first, hashes: [{ alg: 'SHA-512', content: 'abc' }] }] }],
    ['licence', { components: [{ ...first, licenses: [{ license: { id: 'Mine' } }] }] }],
    ['purl', { components: [{ ...first, purl: 'pkg:npm/@scope/name@1' }] }],
    ['key', { components: [{ ...first, licence: 'MIT' }] }],
    ['ref', { dependencies: [{ ref: 'pkg:npm/nobody@1', dependsOn: [] }] }],
  ];
  for (const [fault, change] of broken)
    expect(findFaults({ ...list, ...change } as Sbom).join()).toContain(fault);
});

/** The rules of bom-1.6.schema.json for what we write. */
function findFaults(list: Sbom): string[] {
  const all = [list.metadata.component, ...list.components];
  const refs = new Set(all.map(component => component['bom-ref']));
  const serial = /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  return [
    ...(list.bomFormat === 'CycloneDX' && list.specVersion === '1.6' ? [] : ['specVersion']),
    ...(list.serialNumber === undefined || serial.test(list.serialNumber) ? [] : ['serialNumber']),
    ...unknown(
      'list',
      list,
      'bomFormat specVersion serialNumber version metadata components dependencies $schema',
    ),
    ...(refs.size === all.length ? [] : ['a ref stands there twice']),
    ...all.flatMap(findComponentFaults),
    ...list.dependencies.flatMap(({ ref, dependsOn }) => [
      ...[ref, ...dependsOn].filter(one => !refs.has(one)).map(one => `ref ${one}`),
      ...(new Set(dependsOn).size === dependsOn.length ? [] : [`${ref} needs something twice`]),
    ]),
  ];
}

const hexLengths: Record<string, number> = { 'SHA-1': 40, 'SHA-256': 64, 'SHA-384': 96, 'SHA-512': 128 };
const ids = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'MPL-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
];

function findComponentFaults(component: Sbom['components'][number]): string[] {
  const { purl, hashes = [], licenses = [], scope = 'required', type } = component;
  const isGood = {
    purl:
      /^pkg:npm\/(%40[a-z0-9._-]+\/)?[A-Za-z0-9._-]+@[A-Za-z0-9._%-]+$/.test(purl) &&
      purl === component['bom-ref'],
    type: ['application', 'library'].includes(type),
    scope: ['required', 'optional', 'excluded'].includes(scope),
    hash: hashes.every(
      ({ alg, content }) => /^[0-9a-f]+$/.test(content) && content.length === hexLengths[alg],
    ),
    licence: licenses.every(choice => {
      const { license, expression } = choice as {
        license?: { id?: string; name?: string };
        expression?: string;
      };
      if (expression !== undefined) return licenses.length === 1 && license === undefined;
      return license?.id === undefined ? Boolean(license?.name) : ids.includes(license.id);
    }),
  };
  const known = 'type bom-ref name version purl scope hashes licenses properties';
  return [
    ...Object.entries(isGood).flatMap(([rule, good]) => (good ? [] : [`${rule} of ${purl}`])),
    ...unknown(purl, component, known),
  ];
}

function unknown(where: string, value: object, keys: string): string[] {
  return Object.keys(value)
    .filter(key => !keys.split(' ').includes(key))
    .map(key => `key ${key} of ${where}`);
}
