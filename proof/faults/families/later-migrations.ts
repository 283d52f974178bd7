import type { Copy } from '../../../tests/harness/process.ts';
import { plant } from '../plant.ts';

/** The end of the list of migrations. */
const place = '};\n\nexport const migrationNames';

/** The copy knows as many later migrations as its environment says: versions of the product, each newer than the last. */
export function plantLaterMigrations(copy: Copy): void {
  plant(
    copy,
    'src/core/database/migrate.ts',
    place,
    `  ...Object.fromEntries(
    Array.from({ length: Number(process.env.FAULT_MIGRATIONS ?? 0) }, (_, index) => [
      \`\${900 + index}-later\`,
      {
        async up(db: Transaction<Tables>) {
          await sql.raw(\`alter table messages add column later_\${index} text not null default 'later'\`).execute(db);
          await sql.raw(\`create index later_\${index} on deliveries (created_at)\`).execute(db);
          // Everybody waits for as long as this lasts.
          await sql\`select pg_sleep(1)\`.execute(db);
        },
      },
    ]),
  ),
${place}`,
  );
}

/** Settings of the version that has so many. */
export function laterMigrations(count: number): Record<string, string> {
  return { FAULT_MIGRATIONS: String(count) };
}
