/**
 * `npm run chart:readme` writes the README of the chart and the descriptions in `values.schema.json` from the comments in
 * `values.yaml`. With `--check` it only reports whether both files are up to date.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartReadme, describedSchema, type Schema } from './chart-values.ts';
import { terminal } from './terminal.ts';

const CHART = fileURLToPath(new URL('../../charts/tocsin', import.meta.url));
const checks = process.argv.includes('--check');

const values = fs.readFileSync(`${CHART}/values.yaml`, 'utf8');
const schema = JSON.parse(fs.readFileSync(`${CHART}/values.schema.json`, 'utf8')) as Schema;
const made = {
  'README.md': chartReadme(values, schema),
  'values.schema.json': `${JSON.stringify(describedSchema(values, schema), undefined, 2)}\n`,
};
for (const [name, text] of Object.entries(made)) {
  const file = `${CHART}/${name}`;
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) continue;
  if (!checks) fs.writeFileSync(file, text);
  else {
    terminal.complain(`charts/tocsin/${name} is older than values.yaml: npm run chart:readme`);
    process.exitCode = 1;
  }
}
