/** `npm run bench -- oncall`: what it takes to say who is on call, in one schedule and in all of them. */
import { freePort } from '@tocsin/testkit';
import { BenchStack } from './ingest-stack.ts';
import { onCallResult, type OnCallMeasurements } from './oncall-report.ts';
import { benchSchedule, benchUsers, dayWalk } from './oncall-schedules.ts';
import { runBench, say } from './run-bench.ts';

const SCHEDULES = Number(process.env['SCHEDULES'] ?? 5_000);
/** Creates under way at once; the service writes one after the other. */
const CREATORS = 8;
const ALL_TIMES = 20;
const ONE_TIMES = 200;
/** Schedules walked through day by day; the time is scaled up to all of them. */
const WALKED = 200;
const QUERY = `flat=true&date=${encodeURIComponent('2026-06-10T12:00:00Z')}`;

interface OnCalls {
  readonly took: number;
  readonly data: readonly {
    readonly _parent: { readonly name: string };
    readonly onCallRecipients: readonly string[];
  }[];
}

say('Starting an installation of its own');
await runBench(await BenchStack.start(await freePort()), async (stack) => {
  say(`Creating ${SCHEDULES} schedules`);
  const ids = await furnish(stack);
  say(`Asking ${ALL_TIMES} times for all of them, and ${ONE_TIMES} times for one`);
  return onCallResult(await measure(stack, ids));
});

/** The ids of the schedules. */
async function furnish(api: BenchStack): Promise<readonly string[]> {
  for (const username of benchUsers()) {
    const body = { username, fullName: username, role: { name: 'user' }, invitationDisabled: true };
    await api.call('POST', '/v2/users', body);
  }
  const ids: string[] = [];
  let next = 0;
  const creator = async (): Promise<void> => {
    while (next < SCHEDULES) {
      const created = await api.call('POST', '/v2/schedules', benchSchedule(next++));
      ids.push((created as { data: { id: string } }).data.id);
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
  return ids;
}

async function measure(api: BenchStack, ids: readonly string[]): Promise<OnCallMeasurements> {
  const all = async () => (await api.call('GET', `/v2/schedules/on-calls?${QUERY}`)) as OnCalls;
  const one = async (id = '') => (await api.call('GET', `/v2/schedules/${id}/on-calls?${QUERY}`)) as OnCalls;
  const { data } = await all();
  const allMs: number[] = [];
  for (let time = 0; time < ALL_TIMES; time += 1) allMs.push((await all()).took * 1_000);
  const oneMs: number[] = [];
  for (let time = 0; time < ONE_TIMES; time += 1) oneMs.push((await one(ids[(time * 37) % ids.length])).took * 1_000);
  return { schedules: data.length, allMs, oneMs, ...walked(data) };
}

function walked(data: OnCalls['data']): Pick<OnCallMeasurements, 'dayWalkMs' | 'disagreements'> {
  const found = new Map(data.map(({ _parent, onCallRecipients }) => [_parent.name, onCallRecipients]));
  const at = new Date('2026-06-10T12:00:00Z');
  const sample = Array.from({ length: Math.min(WALKED, SCHEDULES) }, (_, index) => benchSchedule(index));
  const startedAt = performance.now();
  const names = sample.map((schedule) => dayWalk(schedule, at));
  const dayWalkMs = ((performance.now() - startedAt) / sample.length) * data.length;
  const same = ({ name }: { name: string }, index: number) => String(found.get(name)) === String(names[index]);
  return { dayWalkMs, disagreements: sample.filter((schedule, index) => !same(schedule, index)).length };
}
