/** The hidden field with the form's name: a post without JavaScript is redirected to that form's page. */
export const formField = 'form';

/** The hidden field with the tab's unsent message and its idempotency key, for a post without JavaScript. */
export const unsentField = 'unsent';

/** Before the form's name, the key in the session's storage under which the tab's unsent message is. */
export const unsentPrefix = 'unsent-message:';

/** The honeypot: a hidden field that visitors leave empty. Its name means nothing, so that autofill skips it. */
export const honeypotField = 'w4e';
