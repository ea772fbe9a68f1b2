import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';
import { obtainPythonSdk, runPythonSdk } from './python-sdk.ts';

const system = useSystem();
let packages: string;
let scenario: Scenario;

beforeAll(async () => {
  packages = await obtainPythonSdk();
});

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  await scenario.team('Ops');
  // No user is on call: what a case undoes at once is sent or not, as it happens.
  await scenario.schedule('Empty');
  await scenario.escalation('Duty', { delay: 60, to: { type: 'schedule', name: 'Empty' } });
  await system.settle();
});

/** The result of a case of the script, with a name of its own. */
const finds = (sdkCase: string, name: string): Promise<unknown> =>
  runPythonSdk([sdkCase, name], {
    packages,
    url: system.api.url,
    TOCSIN_USER: scenario.address('ada'),
    TOCSIN_TEAM: scenario.name('Ops'),
    TOCSIN_ESCALATION: scenario.name('Duty'),
    TOCSIN_SCHEDULE: scenario.name('Empty'),
  });

describe('the Python SDK', () => {
  it('creates, polls, gets, acknowledges, notes, lists, counts, closes and deletes an alert', async () => {
    expect(await finds('life', scenario.name('life'))).toEqual({
      opened: {
        message: 'Disk full',
        description: 'sda is full',
        status: 'open',
        priority: 'P1',
        tags: ['storage', 'page'],
        details: { device: 'sda' },
      },
      responders: ['user'],
      outcomes: [
        ['Create', 'Created alert'],
        ['Acknowledge', 'Acknowledged alert'],
        ['Add Note', 'Added note'],
        ['Close', 'Closed alert'],
        ['Delete', 'Deleted alert'],
      ],
      count: 1,
      notes: ['again', 'mine', 'grown'],
      recipients: [[scenario.address('ada'), 'email']],
      closed: 'closed',
      report: ['Ada', 'Alert API'],
      gone: ['ApiException', 404],
    });
    await system.mailed(scenario.address('ada'), 'Disk full');
  });

  it('makes every other write to an alert', async () => {
    expect(await finds('changes', scenario.name('changes'))).toEqual({
      outcomes: [
        ...[
          ['Add Tags', 'Added tags'],
          ['Remove Tags', 'Removed tags'],
        ],
        ...[
          ['Add Details', 'Added details'],
          ['Remove Details', 'Removed details'],
        ],
        ...[
          ['Update Message', 'Updated message'],
          ['Update Description', 'Updated description'],
        ],
        ...[
          ['Update Priority', 'Updated priority'],
          ['Add Responder', 'Added responder'],
          ['Add Team', 'Added team'],
        ],
        ...[
          ['Assign', 'Assigned alert'],
          ['Acknowledge', 'Acknowledged alert'],
        ],
        ...[
          ['Unacknowledge', 'Unacknowledged alert'],
          ['Escalate', 'Escalated alert'],
          ['Snooze', 'Snoozed alert'],
        ],
        ['Custom Action', 'Executed custom action'],
      ],
      after: {
        message: 'Fan',
        description: 'of db1',
        priority: 'P2',
        tags: ['hot'],
        details: { rack: 'b2' },
        owner: scenario.address('ada'),
      },
    });
  });

  it('attaches a file, whose link opens it without a key, and removes it', async () => {
    expect(await finds('attachments', scenario.name('attachments'))).toEqual({
      listed: [[true, 'disk usage.bin']],
      got: ['disk usage.bin', true],
      results: ['Created', 'Deleted'],
      left: [],
      gone: ['ApiException', 404],
    });
  });

  it('keeps saved searches, and lists and counts by them', async () => {
    const name = scenario.name('search');
    expect(await finds('saved_searches', name)).toEqual({
      made: true,
      read: [`alias: "${name}"`, 'of a test', 1, true],
      listed: [true],
      counted: 1,
      changed: [`${name} 2`, 'status: open'],
      gone: ['ApiException', 404],
    });
  });

  it('creates, switches, pings, changes, reads, lists and deletes a heartbeat', async () => {
    const name = scenario.name('backup');
    const pong = 'PONG - Heartbeat received';
    expect(await finds('heartbeats', name)).toEqual({
      created: [name, 10, 'minutes', false, false],
      results: [pong, pong, 'Deleted'],
      switched: [
        [true, false],
        [true, false],
        [false, false],
      ],
      read: ['daily', 2, 'days', true],
      listed: [name],
      unknown: pong,
      gone: ['ApiException', 404],
    });
  });

  it('makes of each refusal the exception that it has for it', async () => {
    expect(await finds('refusals', 'Nothing')).toEqual({
      'unknown key': ['AuthenticationException', 401],
      'key of another form': ['ConfigurationException', 422],
      'message too long': ['ConfigurationException', 422],
      'no such request': ['ApiException', 404],
      query: ['ConfigurationException', 422],
    });
  });

  it('reads the account', async () => {
    expect(await finds('account', '')).toMatchObject({ name: 'Tocsin', plan: 'Self-hosted' });
  });
});
