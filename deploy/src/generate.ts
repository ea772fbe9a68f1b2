/** Writes the files that are made of the sources; with `--check` it writes none, and fails when one is stale. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESOURCES } from '@tocsin/api';
import { METRICS, VERSION } from '@tocsin/service';
import { apiReference } from './api-reference.ts';
import { settingsByService } from './chart-settings.ts';
import { chartReadme, describedSchema, type Schema } from './chart-values.ts';
import { grafanaJson } from './monitoring/dashboard.ts';
import { DASHBOARDS } from './monitoring/dashboards.ts';
import { metricsPage } from './monitoring/metrics-page.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHART = 'charts/tocsin';
const checks = process.argv.includes('--check');

/** The places that have the version because other programs read it there. */
const VERSION_PLACES = {
  [`${CHART}/Chart.yaml`]: /(?<=^(?:version|appVersion): ).+$/gm,
  'deploy/Dockerfile': /(?<=org[.]opencontainers[.]image[.]version=").+(?=")/g,
  'packages/cli/package.json': /(?<=^ +"version": ").+(?=")/gm,
  'package-lock.json': /(?<="name": "(?:tocsin|@tocsin\/cli)",\n +"version": ").+(?=")/g,
};

const values = sourceOf(`${CHART}/values.yaml`);
const schema = JSON.parse(sourceOf(`${CHART}/values.schema.json`)) as Schema;

const generated: Readonly<Record<string, string>> = {
  'docs/metrics.md': metricsPage(METRICS),
  'docs/api-reference.md': apiReference(RESOURCES),
  [`${CHART}/README.md`]: chartReadme(values, schema),
  [`${CHART}/values.schema.json`]: json(describedSchema(values, schema)),
  [`${CHART}/files/settings.json`]: json(settingsByService(sourceOf('docs/operations.md'))),
  ...Object.fromEntries(
    Object.entries(VERSION_PLACES).map(([name, place]) => [name, sourceOf(name).replace(place, VERSION)]),
  ),
  ...Object.fromEntries(
    Object.entries(DASHBOARDS).map(([name, dashboard]) => [
      `${CHART}/files/dashboards/${name}.json`,
      grafanaJson(dashboard),
    ]),
  ),
};

let stale = 0;
for (const [name, text] of Object.entries(generated)) {
  const file = path.join(ROOT, name);
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) continue;
  stale++;
  if (!checks) fs.writeFileSync(file, text);
  terminal.say(checks ? `${name} is stale: npm run generate` : `${name} written`);
}
process.exitCode = checks && stale > 0 ? 1 : 0;

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function sourceOf(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), 'utf8');
}
