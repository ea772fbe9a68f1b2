import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call as callServer } from '../api/call.ts';
import { pause } from '../api/pause.ts';
import { createBody, newForm } from '../integrations/form.ts';
import { createIntegration, type ShownKey } from '../integrations/write.ts';
import type { Schedule, SetUp, Team } from './queries.ts';
import { isCovered, lastMonday, takesTurns } from './steps.ts';

export interface Server {
  readonly call: <T>(request: Parameters<typeof callServer>[0]) => Promise<T>;
  readonly wait: (ms: number) => Promise<void>;
}

const SERVER: Server = { call: callServer, wait: pause };

const SCHEDULE_TRIES = 40;
const SCHEDULE_EVERY_MS = 500;

/**
 * Makes the team, with the person as its admin, and puts them on call in weeks. What is there already stays, so that the step
 * can be repeated where it broke off.
 */
export async function makeTeam(
  { me, team }: Pick<SetUp, 'me' | 'team'>,
  name: string,
  now: Date,
  server = SERVER,
): Promise<void> {
  const { call } = server;
  const teamId =
    team?.id ??
    (
      await call<Answer<'create-team'>>({
        method: 'POST',
        path: '/v2/teams',
        body: { name, members: [{ user: { id: me.id }, role: 'admin' }] },
      })
    ).data.id;
  const schedule = await scheduleOf(teamId, server);
  if (isCovered(schedule)) return;
  const rotation = {
    name: 'Weekly',
    type: 'weekly',
    startDate: lastMonday(now).toISOString(),
    participants: [{ type: 'user', id: me.id }],
  };
  await call({
    method: 'PATCH',
    path: `/v2/schedules/${schedule.id}`,
    body: { timezone: me.timeZone, rotations: [rotation] },
  });
}

/** The schedule that the server makes for a new team (S11). @throws CallError where it does not come. */
async function scheduleOf(teamId: string, { call, wait }: Server): Promise<Schedule> {
  for (let tries = 0; tries < SCHEDULE_TRIES; tries += 1) {
    const { data } = await call<Answer<'list-schedules'>>({ path: '/v2/schedules', query: { expand: 'rotation' } });
    const schedule = data.find(({ ownerTeam }) => ownerTeam?.id === teamId);
    if (schedule !== undefined) return schedule;
    await wait(SCHEDULE_EVERY_MS);
  }
  throw new CallError({ status: 503, message: 'The server has not made the schedule of the team yet.' });
}

/** What an invitation takes. */
export interface Invited {
  readonly username: string;
  readonly fullName: string;
}

/**
 * Makes a user, who gets an invitation by mail, adds them to the team and to the rotation of its schedule. Each part that is there already
 * stays, so that the step can be repeated where it broke off. The schedule is read right before it is changed, because others may change it.
 *
 * @throws CallError where the schedule of the team has no rotation: the person is a member then, and takes no turns.
 */
export async function invite(team: Team, { fullName, username }: Invited, server = SERVER): Promise<void> {
  const { call } = server;
  try {
    await call({ method: 'POST', path: '/v2/users', body: { username, fullName, role: { name: 'user' } } });
  } catch (error) {
    if (!(error instanceof CallError && error.status === 409)) throw error;
  }
  await call({ method: 'POST', path: `/v2/teams/${team.id}/members`, body: { user: { username }, role: 'user' } });
  const schedule = await scheduleOf(team.id, server);
  const rotation = schedule.rotations[0];
  if (rotation === undefined) {
    const message = `${username} is in the team. No user takes turns yet: put yourself on call first, then invite again.`;
    throw new CallError({ status: 409, message });
  }
  if (takesTurns(schedule, username)) return;
  await call({
    method: 'PATCH',
    path: `/v2/schedules/${schedule.id}/rotations/${rotation.id}`,
    body: { participants: [...rotation.participants, { type: 'user', username }] },
  });
}

/** Makes an integration of the team. The server shows its key this once. */
export async function makeIntegration({ id }: Team, name: string, server = SERVER): Promise<ShownKey> {
  const { key } = await createIntegration(createBody({ ...newForm(id), name }), server);
  return key ?? { apiKey: '' };
}
