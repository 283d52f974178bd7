/** `found`: somebody must look. `not checked` is never good news. */
export type Finding = { state: 'clean' | 'found' | 'not checked'; found: string; packages?: string[] };

type Answer = Record<string, unknown>;

/** Whether the running server has the package in this folder. */
export type IsOfServer = (folder: string) => boolean;

/** What `npm audit --json` printed. What visitors can reach comes first. */
export function readAudit(out: string, isOfServer: IsOfServer = () => true): Finding {
  const answer = parse(out);
  const metadata = asAnswer(answer?.metadata);
  const total = asAnswer(metadata?.vulnerabilities)?.total;
  const asked = asAnswer(metadata?.dependencies)?.total;
  const vulnerable = asAnswer(answer?.vulnerabilities);
  if (typeof total !== 'number' || typeof asked !== 'number' || !vulnerable)
    return notChecked(whyNot(answer, 'npm audit'));
  if (asked === 0) return notChecked('npm audit saw no package');
  const known = Object.values(vulnerable).map(asAnswer);
  const ofServer = known.filter(one => foldersOf(one).some(isOfServer));
  const others = known.filter(one => !ofServer.includes(one));
  const packages = [
    ...ofServer.map(one => `${one?.name} (${one?.severity})`),
    ...others.map(one => `${one?.name} (${one?.severity}, not in the server)`),
  ];
  if (total === 0 && packages.length === 0)
    return { state: 'clean', found: `no advisory about any of ${asked} packages` };
  return {
    state: 'found',
    found: `${packages.length} of ${asked} packages have advisories, ${ofServer.length} of them in the server: ${listed(packages)}. npm audit tells more`,
    packages,
  };
}

/** Where npm does not say, it may be anywhere. */
function foldersOf(vulnerable: Answer | undefined): string[] {
  const nodes = vulnerable?.nodes;
  return Array.isArray(nodes) && nodes.length > 0 ? nodes : [''];
}

/** These npm reports as errors of its own, and they are what was looked for. */
const broken = /^E(INTEGRITY|EXPIREDSIGNATUREKEY|MISSINGSIGNATUREKEY|ATTESTATION)/;

/** What `npm audit signatures --json` printed. */
export function readSignatures(out: string): Finding {
  const answer = parse(out);
  const { invalid, missing } = answer ?? {};
  if (!Array.isArray(invalid) || !Array.isArray(missing)) {
    const why = whyNot(answer, 'npm audit signatures');
    const code = asAnswer(answer?.error)?.code;
    return typeof code === 'string' && broken.test(code) ? { state: 'found', found: why } : notChecked(why);
  }
  const packages = [
    ...invalid.map(one => `${one.name}@${one.version} (wrong)`),
    ...missing.map(one => `${one.name}@${one.version} (missing)`),
  ];
  if (packages.length === 0)
    return { state: 'clean', found: 'the registry has signed every package that is installed here' };
  return { state: 'found', found: `not signed as they should be: ${listed(packages)}`, packages };
}

export function notChecked(found: string): Finding {
  return { state: 'not checked', found };
}

function listed(packages: readonly string[]): string {
  const shown = packages.slice(0, 10).join(', ');
  return packages.length > 10 ? `${shown} and ${packages.length - 10} more` : shown;
}

/** npm's reason, which stands elsewhere when the registry answered than when nobody did. */
function whyNot(answer: Answer | undefined, asked: string): string {
  const error = asAnswer(answer?.error);
  const reasons = [error?.summary, answer?.message, error?.code];
  const reason = reasons.find(one => typeof one === 'string' && one !== '');
  return typeof reason === 'string'
    ? (reason.split('\n')[0] ?? '')
    : `${asked} said nothing that can be read`;
}

function parse(out: string): Answer | undefined {
  try {
    return asAnswer(JSON.parse(out));
  } catch {
    return undefined;
  }
}

function asAnswer(value: unknown): Answer | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined;
}
