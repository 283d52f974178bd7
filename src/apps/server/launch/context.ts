import type { ClosedSite } from '../../../core/launch/check.ts';
import type { AuditNetwork } from '../../../core/network/network.ts';
import type { SiteResult } from '../../content.ts';
import type { Config } from '../config.ts';
import type { Services } from '../wire.ts';

/** What the launch checks look at; each takes what it needs. */
export type CheckContext = {
  config: Config;
  now: Date;
  siteContent: SiteResult;
  site: SiteState;
  network: AuditNetwork;
  /** The folder of the build. */
  build?: string | undefined;
  builtAt: Date | undefined;
  outdatedReason: string | undefined;
  securityTxt?: string | undefined;
};

export type OpenSite = Pick<Services, 'domainDeps' | 'database' | 'checkDiskSpace' | 'clockGuard'>;
export type SiteState = OpenSite | ClosedSite;
