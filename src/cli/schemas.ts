import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeEditorSchemas } from '../build/editor-schemas.ts';
import { commonOptions, runOnly } from './command.ts';
import { explainFile } from './complain.ts';
import { count, fail, print } from './say.ts';
import { printLines } from './terminal.ts';

const usage = `npm run schemas

  Writes schemas/, by which editors complete and check the YAML files of
  content/. They follow src/content/shapes/.

  --json       print JSON
  --help       print this
`;

const folder = resolve(import.meta.dirname, '../../schemas');

await runOnly({
  name: 'schemas',
  usage,
  options: commonOptions,
  verb: {
    most: 0,
    options: [],
    async runApart(_config, { values }) {
      const written = writeEditorSchemas();
      try {
        mkdirSync(folder, { recursive: true });
        for (const { name, text } of written) writeFileSync(join(folder, name), text);
        for (const name of readdirSync(folder))
          if (name.endsWith('.json') && !written.some(schema => schema.name === name))
            rmSync(join(folder, name));
      } catch (error) {
        return fail(`The schemas cannot be written into ${folder}: ${explainFile(error)}`);
      }
      if (values.json)
        print(written.map(({ name, file }) => ({ schema: `schemas/${name}`, file: `content/${file}` })));
      else printLines([`Wrote ${count(written.length, 'schema')} into schemas/`]);
    },
  },
});
