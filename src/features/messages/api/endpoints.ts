import type { Endpoint, EndpointContext } from '../../../core/http/endpoint.ts';
import { replyJson } from '../../../core/http/responses.ts';
import { contactPath, notSentFragment, type TokenResponse, tokenPath } from '../contract.ts';
import { type ContactDeps, postContact } from './contact.ts';

export const endpoints: readonly Endpoint<ContactDeps>[] = [
  { path: contactPath, kind: 'contact', errorPages: [`#${notSentFragment}`], post: postContact },
  { path: tokenPath, kind: 'token', isLoggedAtDebug: true, get: getToken },
];

async function getToken({ formTokens }: ContactDeps, _: Request, { requestId }: EndpointContext) {
  const token: TokenResponse = { token: formTokens.create() };
  return replyJson(token, requestId);
}
