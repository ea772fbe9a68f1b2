import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { mapConcurrent } from './system/map-concurrent.ts';
import { useSharedSystem } from './system/system.ts';

const system = useSharedSystem();

interface Preset {
  readonly name: string;
  readonly types: readonly string[];
  readonly vendors: readonly string[];
}
interface Alert {
  readonly id: string;
  readonly message: string;
  readonly status: string;
}

/** A sample that opens alerts, and the integration through which it is sent. */
interface Opening {
  readonly preset: Preset;
  /** The name of the file without its ending. */
  readonly sample: string;
  readonly integration: string;
  readonly apiKey: string;
  /** The address of the user who is paged. */
  readonly paged: string;
}

/** Requests that are under way at a time. */
const LANES = 4;

const SAMPLES = fileURLToPath(new URL('../../../services/alert-ingest/samples/', import.meta.url));
const fileOf = ({ preset }: Pick<Opening, 'preset'>, sample: string) => `${SAMPLES}${preset.name}/${sample}.json`;

/** A team with one user for each preset, and an integration for each of its samples that opens alerts. */
async function openingsOf(preset: Preset, scenario: Scenario): Promise<readonly Opening[]> {
  const { name, types } = preset;
  await scenario.users(name);
  await scenario.team(name, name);
  const samples = fs.globSync('open*.json', { cwd: SAMPLES + name }).map((file) => file.replace('.json', ''));
  return mapConcurrent(1, samples, async (sample) => {
    const integration = scenario.name(`${name} ${sample}`);
    const ownerTeam = { name: scenario.name(name) };
    const body = { type: types[0] ?? 'API', name: integration, ownerTeam };
    const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', body);
    return { preset, sample, integration, apiKey, paged: scenario.address(name) };
  });
}

/** Where the page of the preset says that the tool sends, which is where its type says all. */
const hookPath = ({ preset: { name, types }, apiKey }: Opening) =>
  `/hooks/${apiKey}${types.length === 0 ? `/${name}` : ''}`;

/** Where tools send that were made for the original. */
const vendorPath = ({ preset: { vendors }, apiKey }: Opening) =>
  vendors[0] === undefined ? undefined : `/v1/json/${vendors[0]}?apiKey=${apiKey}`;

async function send(path: string, file: string): Promise<void> {
  const { body, headers = {} } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  const { status } = await fetch(system.api.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([file, status]).toEqual([file, 200]);
}

const alertsOf = ({ integration }: Opening) =>
  system.api.read<readonly Alert[]>(
    `/v2/alerts?sort=createdAt&query=${encodeURIComponent(`integration.name: "${integration}"`)}`,
  );

const shown = (alerts: readonly Alert[]) => alerts.map(({ id, message, status }) => ({ id, message, status }));

it('the samples of each preset open alerts, which page the team of the integration, and close the same (Q1, Q3)', async () => {
  const scenario = system.scenario();
  const presets = await system.api.read<readonly Preset[]>('/v2/integrations/presets');
  expect(presets.map(({ name }) => name)).toEqual(fs.readdirSync(SAMPLES).toSorted());
  const openings = (await mapConcurrent(LANES, presets, (preset) => openingsOf(preset, scenario))).flat();
  await system.settle();

  await mapConcurrent(LANES, openings, (opening) => send(hookPath(opening), fileOf(opening, opening.sample)));
  await system.settle();
  const opened = await mapConcurrent(LANES, openings, async (opening) => ({
    opening,
    alerts: await alertsOf(opening),
  }));
  for (const { opening, alerts } of opened) {
    const { preset, sample } = opening;
    const statuses = [...new Set(alerts.map(({ status }) => status))];
    expect([preset.name, sample, statuses]).toEqual([preset.name, sample, ['open']]);
    for (const { message } of alerts) await system.mailed(opening.paged, `] ${message} (`);
  }

  const closing = opened
    .map((each) => ({ ...each, file: fileOf(each.opening, each.opening.sample.replace('open', 'close')) }))
    .filter(({ file }) => fs.existsSync(file));
  await mapConcurrent(LANES, closing, ({ opening, file }) => send(vendorPath(opening) ?? hookPath(opening), file));
  await system.settle();
  for (const { opening, alerts } of closing)
    expect(shown(await alertsOf(opening))).toEqual(shown(alerts).map((alert) => ({ ...alert, status: 'closed' })));
});
