/** `npm run chart:readme` writes the README of the chart from the comments of its values; with `--check` it only says whether that is done. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartReadme } from './chart-values.ts';
import { terminal } from './terminal.ts';

const CHART = fileURLToPath(new URL('../../charts/tocsin', import.meta.url));
const README = `${CHART}/README.md`;

const readme = chartReadme(fs.readFileSync(`${CHART}/values.yaml`, 'utf8'));
if (!process.argv.includes('--check')) fs.writeFileSync(README, readme);
else if (!fs.existsSync(README) || fs.readFileSync(README, 'utf8') !== readme) {
  terminal.complain('charts/tocsin/README.md is older than values.yaml: npm run chart:readme');
  process.exitCode = 1;
}
