/** `npm run bench -- directory`: what a page of many users takes, and how soon other services see a change of a team. */
import { freePort } from '@tocsin/testkit';
import { plainPages, roundTrips } from './directory-baseline.ts';
import { directoryResult, type DirectoryMeasurements } from './directory-report.ts';
import { BenchStack } from './ingest-stack.ts';
import { runBench, say } from './run-bench.ts';

const USERS = Number(process.env['USERS'] ?? 10_000);
/** Creates under way at once; the service writes one after the other. */
const CREATORS = 8;
const PAGES = 500;
const CHANGES = 200;
const USES = 50;

say('Starting an installation of its own');
await runBench(await BenchStack.start(await freePort()), async (stack) => {
  say(`Creating ${USERS} users`);
  await furnish(stack);
  say(`Reading ${PAGES} pages, renaming a team ${CHANGES} times, using ${USES} new teams at once`);
  return directoryResult(await measure(stack));
});

async function furnish(api: BenchStack): Promise<void> {
  let next = 0;
  const creator = async (): Promise<void> => {
    while (next < USERS) {
      const username = `bench-${next++}@example.com`;
      const body = { username, fullName: username, role: { name: 'user' }, invitationDisabled: true };
      await api.call('POST', '/v2/users', body);
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
}

async function measure(api: BenchStack): Promise<DirectoryMeasurements> {
  const offsets = Array.from({ length: PAGES }, (_, page) => (page * 3_700) % Math.max(1, USERS - 100));
  const setting = (name: string) => api.variable('directory', name);
  return {
    users: USERS,
    pageMs: await pages(api, offsets),
    plainPageMs: await plainPages(
      setting('MONGODB_URI'),
      `${setting('MONGODB_DATABASE_PREFIX') || 'tocsin_'}directory`,
      offsets,
    ),
    visibleMs: await changesSeen(api),
    roundTripMs: await roundTrips(setting('KAFKA_BROKERS').split(','), CHANGES),
    ...(await teamsUsed(api)),
  };
}

async function pages(api: BenchStack, offsets: readonly number[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const offset of offsets) {
    const { took, data } = (await api.call('GET', `/v2/users?offset=${offset}`)) as { took: number; data: unknown[] };
    if (data.length !== Math.min(100, USERS)) throw new Error(`A page at ${offset} has ${data.length} users.`);
    times.push(took * 1_000);
  }
  return times;
}

async function created(api: BenchStack, path: string, body: unknown): Promise<string> {
  const { data } = (await api.call('POST', path, body)) as { data: { id: string } };
  return data.id;
}

/** Scheduling shows the name of the team that owns a schedule. */
async function changesSeen(api: BenchStack): Promise<readonly number[]> {
  const id = await created(api, '/v2/teams', { name: 'Renamed often' });
  const schedule = await created(api, '/v2/schedules', { name: 'Owned', ownerTeam: { id } });
  const shown = async () =>
    ((await api.call('GET', `/v2/schedules/${schedule}`)) as { data: { ownerTeam: { name: string } } }).data.ownerTeam;
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const name = `Renamed ${change} times`;
    await api.call('PATCH', `/v2/teams/${id}`, { name });
    const answeredAt = performance.now();
    while ((await shown()).name !== name);
    times.push(performance.now() - answeredAt);
  }
  return times;
}

/** A schedule of a team that was made a moment ago is refused if scheduling does not know of the team. */
async function teamsUsed(api: BenchStack): Promise<{ uses: number; missed: number }> {
  let missed = 0;
  for (let use = 0; use < USES; use += 1) {
    const name = `Used at once ${use}`;
    await api.call('POST', '/v2/teams', { name });
    await created(api, '/v2/schedules', { name, ownerTeam: { name } }).catch(() => (missed += 1));
  }
  return { uses: USES, missed };
}
