/** Urlencoding writes many characters as nine bytes, and a form may contain a copy of an unsent message. */
export const limits = { maxBodyBytes: 64 * 1024, maxFormBytes: 384 * 1024, maxEmailLength: 254 } as const;
