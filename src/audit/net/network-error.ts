/**
 * blocked: our own rules forbid it · limit: the audit's connections, questions or time are used up · timeout: no response in
 * time · no-address: the name has no address · dns: the resolver failed · refused: the server refused, closed or broke off ·
 * other: an answer that does not tell what was asked
 */
export type NetworkErrorKind = 'blocked' | 'limit' | 'timeout' | 'no-address' | 'dns' | 'refused' | 'other';

/** What a check could not ask or was not answered. The message is short and may be shown as evidence. */
export class NetworkError extends Error {
  readonly kind: NetworkErrorKind;

  constructor(message: string, kind: NetworkErrorKind = 'other') {
    super(message);
    this.kind = kind;
  }
}
