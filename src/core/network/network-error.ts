/**
 * blocked: our own rules forbid it · limit: the audit's connections, questions or time are used up · timeout: no response in
 * time · no-address: the name has no address · dns: the resolver failed · bogus: the resolver answers only without DNSSEC ·
 * refused: the server refused, closed or broke off · other: an answer that does not tell what was asked
 */
export type NetworkErrorKind =
  | 'blocked'
  | 'limit'
  | 'timeout'
  | 'no-address'
  | 'dns'
  | 'bogus'
  | 'refused'
  | 'other';

/** What a check could not ask or was not answered. The message is short and may be shown as evidence. */
export class NetworkError extends Error {
  readonly kind: NetworkErrorKind;

  constructor(message: string, kind: NetworkErrorKind = 'other') {
    super(message);
    this.kind = kind;
  }
}

export function isBogus(error: unknown): boolean {
  return error instanceof NetworkError && error.kind === 'bogus';
}
