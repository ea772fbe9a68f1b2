/** Writes the files that are made of the sources; with `--check` it writes none, and fails when one is stale. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESOURCES } from '@tocsin/api';
import { METRICS, VERSION } from '@tocsin/service';
import prettier from 'prettier';
import { apiReference } from './api-reference.ts';
import { settingsByService } from './chart-settings.ts';
import { chartReadme, describedSchema, type Schema } from './chart-values.ts';
import { grafanaJson } from './monitoring/dashboard.ts';
import { DASHBOARDS } from './monitoring/dashboards.ts';
import { metricsPage } from './monitoring/metrics-page.ts';
import { type PresetFile, presetPages, type PresetWithSamples, type SampleFile } from './preset-pages.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHART = 'charts/tocsin';
const PRESETS = 'services/alert-ingest/presets';
const SAMPLES = 'services/alert-ingest/samples';
const PRESET_PAGES = 'docs/presets';
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
  ...(await formattedPages(PRESET_PAGES, presetPages(presets()))),
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
for (const page of fs.globSync('*.md', { cwd: path.join(ROOT, PRESET_PAGES) })) {
  const name = `${PRESET_PAGES}/${page}`;
  if (name in generated) continue;
  stale++;
  if (!checks) fs.rmSync(path.join(ROOT, name));
  terminal.say(checks ? `${name} is of no preset: npm run generate` : `${name} removed`);
}
for (const [name, text] of Object.entries(generated)) {
  const file = path.join(ROOT, name);
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) continue;
  stale++;
  if (!checks) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  terminal.say(checks ? `${name} is stale: npm run generate` : `${name} written`);
}
process.exitCode = checks && stale > 0 ? 1 : 0;

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function presets(): readonly PresetWithSamples[] {
  const namesIn = (folder: string) => fs.globSync('*.json', { cwd: path.join(ROOT, folder) }).toSorted();
  return namesIn(PRESETS).map((file) => {
    const preset = JSON.parse(sourceOf(`${PRESETS}/${file}`)) as PresetFile;
    const folder = `${SAMPLES}/${preset.name}`;
    // Those that open come before those that close: the order of an alert.
    const samples = namesIn(folder).toSorted(
      (one, other) => Number(other.startsWith('open')) - Number(one.startsWith('open')),
    );
    return {
      preset,
      samples: samples.map((sample) => ({
        ...(JSON.parse(sourceOf(`${folder}/${sample}`)) as Omit<SampleFile, 'name'>),
        name: path.basename(sample, '.json'),
      })),
    };
  });
}

/** The pages by their names in the repository, as prettier formats them. */
async function formattedPages(
  folder: string,
  pages: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const options = await prettier.resolveConfig(path.join(ROOT, folder, 'README.md'));
  const formatted = Object.entries(pages).map(async ([name, text]): Promise<[string, string]> => [
    `${folder}/${name}`,
    await prettier.format(text, { ...options, parser: 'markdown' }),
  ]);
  return Object.fromEntries(await Promise.all(formatted));
}

function sourceOf(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), 'utf8');
}
