import type { Commands } from '../../core/action.ts';

/** What concerns the site as a whole. */
export const siteActions: Commands = {
  'publish-site': async () => (await import('./publish-site.ts')).publish,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  'copy-database': async () => (await import('./copy-database.ts')).copy,
  'check-launch': async () => (await import('./check-launch.ts')).checkLaunch,
};
