/** A problem document (RFC 9457), with the invalid field and the reason where there is one. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  field?: string;
  reason?: string;
  requestId?: string;
};
