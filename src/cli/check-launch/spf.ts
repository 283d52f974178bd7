type Texts = (name: string) => Promise<string[]>;

export type Spf = { record: string; doubt: string | undefined };

/** A receiver takes a record with more lookups for broken (RFC 7208, 4.6.4). */
const mostLookups = 10;
const isAsking = /^[+?~-]?(a|mx|ptr|exists|include)([:/]|$)/i;
const isAll = /^[+?~-]?all$/i;

export async function readSpf(domain: string, texts: Texts): Promise<Spf> {
  const found = await readRecord(domain, texts);
  if ('doubt' in found) return { record: '', doubt: found.doubt };
  const { record } = found;
  const broken = await findBroken(record, texts, { lookups: 0 });
  return { record, doubt: broken ?? (await findOpen(record, texts)) };
}

async function readRecord(domain: string, texts: Texts): Promise<{ record: string } | { doubt: string }> {
  const records = (await texts(domain)).filter(text => /^v=spf1( |$)/i.test(text));
  const [record] = records;
  if (record === undefined) return { doubt: `${domain} has no TXT record that begins with v=spf1` };
  return records.length === 1
    ? { record }
    : { doubt: `${domain} has ${records.length} SPF records, which counts as none` };
}

/** Follows include and redirect; the count of lookups ends a circle. */
async function findBroken(
  record: string,
  texts: Texts,
  asked: { lookups: number },
): Promise<string | undefined> {
  for (const term of termsOf(record)) {
    const target = redirectOf(term);
    if (!target && !isAsking.test(term)) continue;
    asked.lookups += 1;
    if (asked.lookups > mostLookups)
      return `it takes more than ${mostLookups} questions, which counts as none`;
    const name = target ?? /^[+?~-]?include:(\S+)$/i.exec(term)?.[1];
    // A name with macros is known only once there is a mail.
    if (!name || name.includes('%')) continue;
    const found = await readRecord(name, texts);
    if ('doubt' in found) return `'${term}' breaks it: ${found.doubt}`;
    const broken = await findBroken(found.record, texts, asked);
    if (broken) return broken;
  }
  return undefined;
}

/** The first `all` decides; redirect counts only without one. */
async function findOpen(record: string, texts: Texts): Promise<string | undefined> {
  const all = termsOf(record).find(term => isAll.test(term));
  if (all) return /^[~-]/.test(all) ? undefined : forbidsNobody(record);
  const target = termsOf(record).map(redirectOf).find(Boolean);
  if (!target) return forbidsNobody(record);
  if (target.includes('%')) return undefined;
  const next = await readRecord(target, texts);
  return 'doubt' in next ? next.doubt : findOpen(next.record, texts);
}

function forbidsNobody(record: string): string {
  return `'${record}' forbids nobody; end it with ~all or -all`;
}

function redirectOf(term: string): string | undefined {
  return /^redirect=(\S+)$/i.exec(term)?.[1];
}

function termsOf(record: string): string[] {
  return record.split(/\s+/).slice(1);
}
