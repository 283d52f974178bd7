import type { RequestContext } from './admission-control.ts';

/**
 * What a feature answers. Its running parts are passed in, so that `npm run dev` loads this code anew and keeps what runs.
 */
export type Endpoint<Started = unknown> = {
  /** A parameter, such as `/:token`, can only be its end. */
  path: string;
  /** In the metrics and the log. */
  kind: string;
  /** GET is answered with a static page. */
  hasPage?: boolean;
  /** Each request is authenticated by a token, a key or a signature. */
  isCsrfExempt?: boolean;
  isLoggedAtDebug?: boolean;
  /** Ends of the addresses to which a form without JavaScript is redirected when it fails: a client error. */
  errorPages?: readonly string[];
  /** Also while the feature is switched off: for links in mails that were sent. */
  staysWhenOff?: boolean;
  /** Without it there is no such endpoint. */
  isOffered?(started: Started): boolean;
  get?(started: Started, request: Request, context: EndpointContext): Promise<Response>;
  post?(started: Started, request: Request, context: EndpointContext): Promise<Response>;
};

/** `param`: the parameter of the path. */
export type EndpointContext = RequestContext & { param: string };
