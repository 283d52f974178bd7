type ResolveTxt = (name: string) => Promise<string[]>;

export type Spf = { record: string; problem: string | undefined };

/** More lookups make the record invalid (RFC 7208, 4.6.4). */
const maxLookups = 10;
const needsLookup = /^[+?~-]?(a|mx|ptr|exists|include)([:/]|$)/i;
const isAll = /^[+?~-]?all$/i;

export async function readSpf(domain: string, resolveTxt: ResolveTxt): Promise<Spf> {
  const found = await readRecord(domain, resolveTxt);
  if ('problem' in found) return { record: '', problem: found.problem };
  const { record } = found;
  const broken = await findBroken(record, resolveTxt, { lookups: 0 });
  return { record, problem: broken ?? (await findOpen(record, resolveTxt)) };
}

async function readRecord(
  domain: string,
  texts: ResolveTxt,
): Promise<{ record: string } | { problem: string }> {
  const records = (await texts(domain)).filter(text => /^v=spf1( |$)/i.test(text));
  const [record] = records;
  if (record === undefined) return { problem: `${domain} has no TXT record that begins with v=spf1` };
  return records.length === 1
    ? { record }
    : { problem: `${domain} has ${records.length} SPF records; more than one is invalid` };
}

async function findBroken(
  record: string,
  texts: ResolveTxt,
  counter: { lookups: number },
): Promise<string | undefined> {
  for (const term of splitTerms(record)) {
    const target = parseRedirect(term);
    if (!target && !needsLookup.test(term)) continue;
    counter.lookups += 1;
    if (counter.lookups > maxLookups) return `it needs more than ${maxLookups} DNS lookups, which is invalid`;
    const name = target ?? /^[+?~-]?include:(\S+)$/i.exec(term)?.[1];
    // A name with macros can be resolved only for an actual mail.
    if (!name || name.includes('%')) continue;
    const found = await readRecord(name, texts);
    if ('problem' in found) return `'${term}' is broken: ${found.problem}`;
    const broken = await findBroken(found.record, texts, counter);
    if (broken) return broken;
  }
  return undefined;
}

async function findOpen(record: string, texts: ResolveTxt): Promise<string | undefined> {
  const all = splitTerms(record).find(term => isAll.test(term));
  if (all) return /^[~-]/.test(all) ? undefined : describeOpen(record);
  const target = splitTerms(record).map(parseRedirect).find(Boolean);
  if (!target) return describeOpen(record);
  if (target.includes('%')) return undefined;
  const next = await readRecord(target, texts);
  return 'problem' in next ? next.problem : findOpen(next.record, texts);
}

function describeOpen(record: string): string {
  return `'${record}' allows every sender; end it with ~all or -all`;
}

function parseRedirect(term: string): string | undefined {
  return /^redirect=(\S+)$/i.exec(term)?.[1];
}

function splitTerms(record: string): string[] {
  return record.split(/\s+/).slice(1);
}
