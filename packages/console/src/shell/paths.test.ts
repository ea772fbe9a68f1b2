// cspell:ignore Aopen Falerts Fquery
import { describe, expect, test } from '@jest/globals';
import { pageAfterSignIn, partsOfAddress, paths } from './paths.ts';

describe('the addresses of pages', () => {
  test('They stay as they are, because people keep and share them.', () => {
    expect({
      alerts: paths.alerts(),
      search: paths.alerts('status:open AND tag:"a&b"'),
      alert: paths.alert('0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20'),
      alias: paths.alert('disk/db 1'),
      heartbeats: paths.heartbeats(),
      escalations: paths.escalations(),
      newEscalation: paths.newEscalation(),
      escalation: paths.escalation('e1'),
      policies: paths.policies(),
      teamPolicies: paths.policies('t1'),
      policy: paths.policy('p1'),
      newPolicy: paths.newPolicy('alert', 't1'),
      routing: paths.routing('t1'),
      flow: paths.flow(),
      flowOfAlert: paths.flow('message=Disk+full'),
      integrations: paths.integrations(),
      integration: paths.integration('i1'),
      integrationActions: paths.integrationActions('i1'),
      maintenance: paths.maintenance(),
      move: paths.move(),
      onCall: paths.onCall(),
      people: paths.people(),
      person: paths.person('ada@example.com'),
      schedules: paths.schedules(),
      newSchedule: paths.newSchedule(),
      newScheduleOfTeam: paths.newSchedule('0198c0de'),
      schedule: paths.schedule('0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14'),
      scheduleRange: paths.schedule('0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14', { range: '3m', from: '2026-03-29' }),
      me: paths.me(),
      sessions: paths.sessions(),
      teams: paths.teams(),
      team: paths.team('0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13'),
      setUp: paths.setUp(),
      openIdSignIn: paths.openIdSignIn(),
      signIn: paths.signIn(),
      signInFrom: paths.signIn('/alerts?query=a'),
    }).toMatchInlineSnapshot(`
{
  "alert": "/alerts/0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20",
  "alerts": "/alerts",
  "alias": "/alerts/disk%2Fdb%201",
  "escalation": "/escalations/e1",
  "escalations": "/escalations",
  "flow": "/flow",
  "flowOfAlert": "/flow?message=Disk+full",
  "heartbeats": "/heartbeats",
  "integration": "/integrations/i1",
  "integrationActions": "/integrations/i1/actions",
  "integrations": "/integrations",
  "maintenance": "/maintenance",
  "me": "/me",
  "move": "/move",
  "newEscalation": "/escalations/new",
  "newPolicy": "/policies/new?kind=alert&team=t1",
  "newSchedule": "/schedules/new",
  "newScheduleOfTeam": "/schedules/new?team=0198c0de",
  "onCall": "/on-call",
  "openIdSignIn": "/sign-in/openid",
  "people": "/people",
  "person": "/people/ada%40example.com",
  "policies": "/policies",
  "policy": "/policies/p1",
  "routing": "/routing/t1",
  "schedule": "/schedules/0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14",
  "scheduleRange": "/schedules/0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14?range=3m&from=2026-03-29",
  "schedules": "/schedules",
  "search": "/alerts?query=status%3Aopen+AND+tag%3A%22a%26b%22",
  "sessions": "/me/sessions",
  "setUp": "/set-up",
  "signIn": "/sign-in",
  "signInFrom": "/sign-in?from=%2Falerts%3Fquery%3Da",
  "team": "/teams/0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13",
  "teamPolicies": "/policies?team=t1",
  "teams": "/teams",
}
`);
  });
});

describe('the parts of an address', () => {
  test('A search keeps its signs.', () => {
    const query = 'status:open AND tag:"a&b?c=d#e"';

    expect(partsOfAddress(paths.alerts(query))).toEqual({ to: '/alerts', search: { query } });
    expect(partsOfAddress(paths.alerts(''))).toEqual({ to: '/alerts', search: { query: '' } });
    expect(partsOfAddress(paths.onCall())).toEqual({ to: '/on-call', search: {} });
  });
});

describe('the page after the sign-in', () => {
  test('It is the page that the person came from.', () => {
    expect(pageAfterSignIn('/alerts/1?query=a')).toBe('/alerts/1?query=a');
  });

  test.each([undefined, 5, '', 'alerts', '//evil.example', '/\\evil.example', 'https://evil.example/', '/sign-in'])(
    'From %p, which is no page of the console, it is the list of alerts.',
    (from) => {
      expect(pageAfterSignIn(from)).toBe('/alerts');
    },
  );
});
