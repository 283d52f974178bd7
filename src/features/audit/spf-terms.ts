import ipaddr from 'ipaddr.js';

export type SpfQualifier = '+' | '-' | '~' | '?';
export type SpfMechanismName = 'all' | 'include' | 'exists' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6';

/** `target` is a domain with macros, or the address of ip4 and ip6; empty where the term has none. */
export type SpfMechanism = {
  kind: 'mechanism';
  name: SpfMechanismName;
  text: string;
  qualifier: SpfQualifier;
  target: string;
  /** By address family: a prefix of no bits, which is true for every address. */
  isEvery: { four: boolean; six: boolean };
};
export type SpfModifier = { kind: 'modifier'; name: string; text: string; target: string };
export type SpfTerm = SpfMechanism | SpfModifier;

const mechanismPattern =
  /^([+?~-]?)(all|include|exists|a|mx|ptr|ip4|ip6)(?::(.*?))?(?:\/(\d+))?(?:\/\/(\d+))?$/i;
const modifierPattern = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const macroPattern = /%([%_-]|\{[slodiphv](0*[1-9]\d*)?r?[.\-+,/_=]*\})/gi;

type MechanismRule = {
  target?: 'needed' | 'allowed';
  isTarget: (text: string) => boolean;
  four?: number;
  six?: number;
};

/** RFC 7208, 5: what may follow each name. `four` and `six` are the longest prefixes. */
const rules: Record<SpfMechanismName, MechanismRule> = {
  all: { isTarget: () => false },
  include: { target: 'needed', isTarget: isDomain },
  exists: { target: 'needed', isTarget: isDomain },
  ptr: { target: 'allowed', isTarget: isDomain },
  a: { target: 'allowed', isTarget: isDomain, four: 32, six: 128 },
  mx: { target: 'allowed', isTarget: isDomain, four: 32, six: 128 },
  ip4: { target: 'needed', isTarget: text => ipaddr.IPv4.isValidFourPartDecimal(text), four: 32 },
  ip6: { target: 'needed', isTarget: isIpv6, four: 128 },
};

/** The terms of a record after its version, or the text of the first that receivers do not understand. */
export function parseSpfTerms(record: string): SpfTerm[] | { invalid: string } {
  const terms: SpfTerm[] = [];
  // RFC 7208, 4.6.1: a space separates terms, and no other white space does.
  for (const text of record.split(' ').slice(1).filter(Boolean)) {
    const term = parseTerm(text);
    if (!term || isRepeated(term, terms)) return { invalid: text };
    terms.push(term);
  }
  return terms;
}

/** RFC 7208, 6: unknown modifiers may be repeated. */
function isRepeated(term: SpfTerm, terms: readonly SpfTerm[]): boolean {
  const isOnce = term.kind === 'modifier' && ['redirect', 'exp'].includes(term.name);
  return isOnce && terms.some(({ kind, name }) => kind === 'modifier' && name === term.name);
}

function parseTerm(text: string): SpfTerm | undefined {
  const [, modifier, value = ''] = modifierPattern.exec(text) ?? [];
  if (modifier) {
    const name = modifier.toLowerCase();
    const isValid = name === 'redirect' || name === 'exp' ? isDomain(value) : isMacroString(value);
    return isValid ? { kind: 'modifier', name, text, target: value } : undefined;
  }
  const match = mechanismPattern.exec(text);
  if (!match) return undefined;
  const [, sign, written = '', target, four, six] = match;
  const name = written.toLowerCase() as SpfMechanismName;
  const rule = rules[name];
  const hasTarget = target === undefined ? rule.target !== 'needed' : rule.isTarget(target);
  if (!hasTarget || !isPrefix(four, rule.four) || !isPrefix(six, rule.six)) return undefined;
  return {
    kind: 'mechanism',
    name,
    text,
    target: target ?? '',
    qualifier: (sign || '+') as SpfQualifier,
    isEvery: { four: four === '0', six: six === '0' },
  };
}

function isPrefix(text: string | undefined, longest: number | undefined): boolean {
  if (text === undefined) return true;
  return longest !== undefined && /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= longest;
}

function isIpv6(text: string): boolean {
  return !text.includes('%') && ipaddr.IPv6.isValid(text);
}

/** RFC 7208, 7.1: ends in a label that is not a number, or in a macro. */
function isDomain(text: string): boolean {
  if (!isMacroString(text)) return false;
  if (/%(\{[^{}]*\}|[%_-])$/.test(text)) return true;
  const labels = text.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(last) && !/^\d+$/.test(last);
}

function isMacroString(text: string): boolean {
  return /^[!-$&-~]*$/.test(text.replace(macroPattern, ''));
}

/** The name to ask DNS for. Undefined: a macro depends on the mail that is judged. */
export function expandSpfDomain(spec: string, { domain, sender }: { domain: string; sender: string }) {
  const name = spec.replaceAll(/%\{([do])\}/gi, (_, letter) =>
    letter.toLowerCase() === 'd' ? domain : sender,
  );
  return name.includes('%') ? undefined : name.replace(/\.$/, '').toLowerCase();
}
