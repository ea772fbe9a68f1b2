/** One thing of the demo: how to see whether it is there, and how to create it. */
export interface DemoThing {
  readonly label: string;
  /** A GET of it: 404 means that it is missing. */
  readonly lookUp: string;
  readonly create: { readonly path: string; readonly body: unknown };
}

/** The escalation that pages the person on call, and the next one a minute later. */
export const DEMO_ESCALATION = 'Demo pages both';

const TEAM = 'Demo';
const SCHEDULE = 'Demo on call';
const HOUR_MS = 3_600_000;
const PEOPLE = [
  { username: 'ada@example.com', fullName: 'Ada Lovelace' },
  { username: 'grace@example.com', fullName: 'Grace Hopper' },
] as const;

/** The demo in the order of its creation: two users, their team, a schedule that has the first on call, an escalation. */
export function demoPlan(now: Date, timeZone: string): readonly DemoThing[] {
  return [...PEOPLE.map(user), team(), schedule(now, timeZone), escalation()];
}

function user(person: (typeof PEOPLE)[number]): DemoThing {
  return {
    label: `user ${person.username}`,
    lookUp: `/v2/users/${encodeURIComponent(person.username)}`,
    create: { path: '/v2/users', body: { ...person, role: { name: 'user' }, invitationDisabled: true } },
  };
}

function team(): DemoThing {
  const members = PEOPLE.map(({ username }) => ({ user: { username }, role: 'user' }));
  return {
    label: `team ${TEAM}`,
    lookUp: byName('teams', TEAM),
    create: { path: '/v2/teams', body: { name: TEAM, description: 'Two people to try things with', members } },
  };
}

function schedule(now: Date, timeZone: string): DemoThing {
  // The hour that has just begun, so that the first person is on call from now until this time tomorrow.
  const startDate = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString();
  const participants = PEOPLE.map(({ username }) => ({ type: 'user', username }));
  const rotations = [{ name: 'Daily', type: 'daily', length: 1, startDate, participants }];
  return {
    label: `schedule ${SCHEDULE}`,
    lookUp: byName('schedules', SCHEDULE),
    create: {
      path: '/v2/schedules',
      body: { name: SCHEDULE, timezone: timeZone, ownerTeam: { name: TEAM }, rotations },
    },
  };
}

function escalation(): DemoThing {
  const rule = (notifyType: string, timeAmount: number): unknown => ({
    condition: 'if-not-acked',
    notifyType,
    delay: { timeAmount },
    recipient: { type: 'schedule', name: SCHEDULE },
  });
  const rules = [rule('default', 0), rule('next', 1)];
  return {
    label: `escalation ${DEMO_ESCALATION}`,
    lookUp: byName('escalations', DEMO_ESCALATION),
    create: { path: '/v2/escalations', body: { name: DEMO_ESCALATION, ownerTeam: { name: TEAM }, rules } },
  };
}

function byName(resource: string, name: string): string {
  return `/v2/${resource}/${encodeURIComponent(name)}?identifierType=name`;
}
