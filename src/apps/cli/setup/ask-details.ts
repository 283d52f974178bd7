import type { Facts } from '../../../core/content/content-part.ts';
import type { AuditDns } from '../../../core/network/network.ts';
import { checkMailbox } from './checks.ts';
import { type Details, findContentErrors, readDetails, validateDetail } from './edit-details.ts';
import type { Finding, Prompts } from './prompts.ts';

type Context = { prompts: Prompts; dns: AuditDns; content: Facts; contentFolder: string };

const questions: Record<keyof Details, string> = {
  name: 'What is your company called?',
  phone: 'Which phone number should visitors call?',
  email: 'Which email address should visitors write to?',
  address: 'What is your postal address? Put commas between its lines',
  supportHours: 'When can visitors reach you?',
};

export async function askDetails(context: Context): Promise<Details> {
  const before = readDetails(context.content);
  let details = before;
  for (const field of Object.keys(questions) as (keyof Details)[])
    details = await context.prompts.askChecked(
      details,
      previous => askDetail(context, previous, field),
      answer => checkDetail(context, before, answer, field),
    );
  return details;
}

async function askDetail({ prompts }: Context, details: Details, field: keyof Details): Promise<Details> {
  const present = [details[field]].flat().join(', ');
  const read = (answer: string) => (field === 'address' ? splitLines(answer) : answer);
  const answer = await prompts.ask({
    message: questions[field],
    current: present,
    validate: answer => validateDetail(field, read(answer)),
  });
  return answer === present ? details : { ...details, [field]: read(answer) };
}

async function checkDetail(
  { dns, content, contentFolder }: Context,
  before: Details,
  details: Details,
  field: keyof Details,
): Promise<Finding | undefined> {
  if (details[field] === before[field]) return undefined;
  const [error, ...others] = findContentErrors(contentFolder, content, details);
  if (error) {
    const rest = others.length > 0 ? `, and ${others.length} more` : '';
    return {
      problem: `With this answer the site cannot be published (${error}${rest}): shorten it, or the text named.`,
    };
  }
  return field === 'email' ? checkMailbox(dns, details.email) : undefined;
}

function splitLines(answer: string): string[] {
  return answer
    .split(',')
    .map(line => line.trim())
    .filter(Boolean);
}
