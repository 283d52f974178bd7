import { join } from 'node:path';
import { exportPerson, recordExport } from '../../domain/privacy/export-person.ts';
import type { PersonalData } from '../../domain/privacy/search-personal-data.ts';
import { readExportDetails } from '../../server/export-details.ts';
import type { DeskDeps } from '../desk-deps.ts';

export async function createExport(
  { services, root }: DeskDeps,
  address: string,
  found: PersonalData,
): Promise<string> {
  const { domainDeps, config, clock } = services;
  const createdAt = clock.now().toISOString();
  const details = readExportDetails(config, join(root, 'content'));
  const document = await exportPerson(domainDeps, found, { address, createdAt, ...details });
  await recordExport(domainDeps, { address, createdAt, found });
  return `${JSON.stringify(document, null, 2)}\n`;
}
