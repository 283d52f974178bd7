/** What a message is about, such as the report of an audit, for the owner: a feature registers how to read it. */
export type MessageContext = {
  /** Above it in a command, and at the desk. */
  title: string;
  heading: string;
  /** In its place once it is gone. */
  erased: string;
  /** By the id that the message holds. */
  find(id: string): Promise<FoundContext | undefined>;
};

export type FoundContext = {
  /** As JSON shows it. */
  stored: object;
  /** `content`: the folder that has the words. */
  describe(content: string): ContextSummary;
};

/** What others published may be in `domain`, control characters too. */
export type ContextSummary = {
  domain: string;
  measuredAt: string;
  graded: string;
  /** To do first. */
  first: string[];
  /** What did not pass. */
  open: { title: string; status: string }[];
  passed: string;
};

/** That of the one feature that has any. Undefined without such a feature: the message shows without it. */
export function findMessageContext(
  started: readonly { messageContext?: MessageContext }[],
): MessageContext | undefined {
  return started.find(({ messageContext }) => messageContext)?.messageContext;
}
