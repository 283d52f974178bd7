import { randomIds } from '../../../core/ids.ts';
import { findIps } from '../../../core/network/dns-client.ts';
import type { AuditDns } from '../../../core/network/network.ts';
import { describeFailure } from '../../../core/outbox/failures.ts';
import { readMailRoute } from '../../../features/audit/mail-route.ts';
import { readSpf } from '../../../features/audit/spf.ts';
import type { ReceiverChecks } from '../../../features/messages/receivers/receiver-checks.ts';
import { createTestPayload, testReceiver } from '../../../features/messages/receivers/try-receiver.ts';
import type { Config } from '../../server/config.ts';
import type { Finding } from './prompts.ts';

type SmtpServer = NonNullable<Config['mail']['smtp']>;
type SheetService = Extract<Config['sheet'], { kind: 'service' }>;

export async function checkDomain(dns: AuditDns, hostname: string): Promise<Finding> {
  return withDns(async () => {
    const ips = await findIps(dns, hostname);
    return ips.length > 0
      ? { ok: `DNS has ${hostname} at ${ips.join(', ')}.` }
      : {
          problem: `DNS has no address for ${hostname}: check the spelling, or add an A record with the IP address of your server where you bought the domain.`,
        };
  });
}

export async function checkMailbox(dns: AuditDns, email: string): Promise<Finding> {
  const domain = domainOf(email);
  return withDns(async () => {
    const [server] = (await readMailRoute(dns, domain)).servers;
    if (server === '.') return { problem: `${domain} takes no mail: use an address at another domain.` };
    if (server) return { ok: `Mail for ${domain} is received by ${server}.` };
    // RFC 5321: without an MX record, mail goes to the address of the domain itself.
    if ((await findIps(dns, domain)).length > 0) return { ok: `Mail for ${domain} goes to ${domain}.` };
    return {
      problem: `DNS has no mail server for ${domain}: check the spelling, or add the MX record that your mail provider names.`,
    };
  });
}

export async function checkSender(dns: AuditDns, email: string): Promise<Finding> {
  const domain = domainOf(email);
  return withDns(async () => {
    const { fault } = await readSpf(domain, dns);
    if (!fault) return { ok: `${domain} has an SPF record.` };
    const found = fault.finding === 'none' ? 'no SPF record' : 'an SPF record with a fault';
    return {
      problem: `Mail from ${email} may be treated as spam (${domain} has ${found}): publish the record that your mail provider describes; npm run check-launch names the fault.`,
    };
  });
}

async function withDns(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `DNS could not be asked (${reason}): check the internet connection of this machine.` };
  }
}

export async function checkMailServer(
  { verifyMailServer }: ReceiverChecks,
  server: SmtpServer,
): Promise<Finding> {
  const { host, port, login } = server;
  const failure = await verifyMailServer(server);
  if (!failure) return { ok: `The mail server ${host} answers${login ? ' and accepts the login' : ''}.` };
  const { about } = failure;
  const reason = describeFailure(failure.failure);
  if (about === 'login')
    return {
      problem: `${host} did not accept the login (${reason}): check user and password; some providers want an app password, made in your account there.`,
    };
  if (about === 'host')
    return { problem: `There is no server called ${host} (${reason}): check the spelling.` };
  if (about === 'encryption')
    return {
      problem: `The encrypted connection to ${host} failed (${reason}): check that host and port are the ones your mail provider names.`,
    };
  return {
    problem: `${host} did not answer as a mail server on port ${port} (${reason}): check host and port (587 or 465); some hosting companies block these ports until you ask.`,
  };
}

export async function checkSheet(
  { createSheetReceiver }: ReceiverChecks,
  settings: SheetService,
): Promise<Finding> {
  const receiver = createSheetReceiver(settings);
  const payload = createTestPayload(randomIds.reference(), new Date().toISOString(), 'npm run setup');
  const { result, reason, code } = await testReceiver(receiver, payload);
  const row = `a test row with the reference ${payload.reference}`;
  if (result === 'read back')
    return { ok: `The sheet took ${row}, and it was read back. You may delete it.` };
  if (result === 'accepted')
    return { ok: `The sheet took ${row}. Look whether it is there; you may delete it.` };
  if (code === 'wrong-secret')
    return {
      problem:
        'The script does not accept the secret: its line const SECRET must be the one shown above, or what follows secret= in .env. After a change of the script choose Deploy, Manage deployments, the pencil, New version.',
    };
  return {
    problem: `The sheet did not take a test row (${reason}): check the address; docs/owner/google-sheet.md and docs/engineer/sheets.md explain each reason.`,
  };
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
