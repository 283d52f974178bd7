import { runFeatureCommand } from './run-actions.ts';

await runFeatureCommand('newsletter');
