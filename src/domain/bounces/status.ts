/**
 * What an enhanced status code (RFC 3463) says of a mailbox. `nobody`: there is nobody at the address, and the next issue
 * would come back, too. `soft`: the mailbox is full, the server was away, the mail was not to its taste: none of it is
 * about who lives there. `unclear`: a failure for good whose reason the code does not name.
 */
export type Finding = 'nobody' | 'soft' | 'unclear';

/** The same that make a direct refusal final: no such mailbox, no such domain, no mail taken there, mailbox closed. */
const nobodyThere = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
/** Permanent and without a subject of its own: some servers give it to everything. */
const unspecific = ['5.0.0', '5.1.0'];

export function judgeStatus(status: string | undefined): Finding {
  if (!status || unspecific.includes(status)) return 'unclear';
  return nobodyThere.includes(status) ? 'nobody' : 'soft';
}

/** Exim and others report 5.0.0 for every failure, and leave what the other server said to the diagnostic line. */
export function findStatus(status: string, diagnostic: string): string | undefined {
  const given = /^\s*([245]\.\d{1,3}\.\d{1,3})(?!\S)/.exec(status)?.[1];
  if (given && !unspecific.includes(given)) return given;
  const said = /(?:^|[\s;])[45]\d\d[ -](5\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(diagnostic)?.[1];
  return said ?? given;
}
