/** Writes the files that are made of the sources; with `--check` it writes none, and fails when one is stale. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { METRICS } from '@tocsin/observability';
import { settingsByService } from './chart-settings.ts';
import { grafanaJson } from './monitoring/dashboard.ts';
import { DASHBOARDS } from './monitoring/dashboards.ts';
import { metricsPage } from './monitoring/metrics-page.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const checks = process.argv.includes('--check');

const generated: Readonly<Record<string, string>> = {
  'docs/metrics.md': metricsPage(METRICS),
  'charts/tocsin/files/settings.json': `${JSON.stringify(
    settingsByService(fs.readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8')),
    undefined,
    2,
  )}\n`,
  ...Object.fromEntries(
    Object.entries(DASHBOARDS).map(([name, dashboard]) => [
      `charts/tocsin/files/dashboards/${name}.json`,
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
  terminal.say(checks ? `${name} is stale: npm run docs:generate` : `${name} written`);
}
process.exitCode = checks && stale > 0 ? 1 : 0;
