// The demo of every installation: the chart's Job makes it, and `npm start` imports it. Its types are in demo-plan.d.mts.
export const DEMO_ESCALATION = 'Demo pages both';

const TEAM = 'Demo';
// The server creates it for the team, without a rotation (S11).
const SCHEDULE = 'Demo_schedule';
const HOUR_MS = 3_600_000;
const PEOPLE = [
  { username: 'ada@example.com', fullName: 'Ada Lovelace' },
  { username: 'grace@example.com', fullName: 'Grace Hopper' },
];

export function demoPlan(now) {
  return [...PEOPLE.map(user), team(), rotation(now), escalation()];
}

function user(person) {
  return {
    label: `user ${person.username}`,
    lookUp: `/v2/users/${encodeURIComponent(person.username)}`,
    create: { path: '/v2/users', body: { ...person, role: { name: 'user' }, invitationDisabled: true } },
  };
}

function team() {
  const members = PEOPLE.map(({ username }) => ({ user: { username }, role: 'user' }));
  return {
    label: `team ${TEAM}`,
    lookUp: byName('teams', TEAM),
    create: { path: '/v2/teams', body: { name: TEAM, description: 'Two people to try things with', members } },
  };
}

function rotation(now) {
  // The hour that has just begun, so that the first person is on call from now until this time tomorrow.
  const startDate = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString();
  const participants = PEOPLE.map(({ username }) => ({ type: 'user', username }));
  const path = `/v2/schedules/${SCHEDULE}/rotations?scheduleIdentifierType=name`;
  return {
    label: `rotation of schedule ${SCHEDULE}`,
    lookUp: path,
    isThere: (text) => JSON.parse(text).data.length > 0,
    create: { path, body: { name: 'Daily', type: 'daily', length: 1, startDate, participants } },
  };
}

function escalation() {
  const rule = (notifyType, timeAmount) => ({
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

function byName(resource, name) {
  return `/v2/${resource}/${encodeURIComponent(name)}?identifierType=name`;
}
