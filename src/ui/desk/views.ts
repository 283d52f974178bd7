import type { ReactNode } from 'react';

/** A component for each view. */
export type ViewsOf<Pages> = { [Name in keyof Pages]: (props: Pages[Name]) => ReactNode };

/** With props that the route has checked. */
export type Views = Record<string, (props: never) => ReactNode>;
