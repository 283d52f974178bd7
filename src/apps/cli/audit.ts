import { runNamed } from './run-actions.ts';

await runNamed('audit');
