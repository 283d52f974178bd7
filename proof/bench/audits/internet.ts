import { constants, setPriority } from 'node:os';
import { startAuditedDomains } from '../../../tests/fakes/audited-domains.ts';

/** The audited servers, in a process beside the server. Argument: the names of the domains as JSON. */
setPriority(constants.priority.PRIORITY_LOW);
const names: string[] = JSON.parse(process.argv[2] ?? '[]');
const { reach } = await startAuditedDomains(names.map(name => ({ name })));
process.send?.(reach);
process.once('disconnect', () => process.exit());
