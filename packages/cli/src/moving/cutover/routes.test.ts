import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { impatient } from '../../testing/account-fixture.ts';
import { TocsinDouble } from '../../testing/tocsin-double.ts';
import { OpsgenieClient } from '../opsgenie-client.ts';
import { type Compared, RoutesFile, routesOf, takenBy } from './routes.ts';

let tocsin: TocsinDouble;
let client: OpsgenieClient;
let folder: string;

beforeEach(async () => {
  tocsin = new TocsinDouble();
  client = new OpsgenieClient({ url: await tocsin.start(), key: 'key' }, impatient());
  folder = mkdtempSync(path.join(os.tmpdir(), 'tocsin-routes-'));
});
afterEach(() => {
  tocsin.stop();
  rmSync(folder, { recursive: true });
});

async function taken(...alerts: readonly Compared[]): Promise<readonly string[]> {
  const kept = new RoutesFile(folder);
  try {
    return [...(await takenBy(client, alerts, kept))].toSorted();
  } finally {
    kept.close();
  }
}

const step = (subject: string, outcome: string, ruleId: string) => ({ subject, outcome, facts: { ruleId } });
const explanationsAsked = (): number => tocsin.requests.filter((each) => each.includes('/explanation')).length;

describe('the routes of a Tocsin', () => {
  it('are the routing rules of all teams that notify a recipient', async () => {
    const rules = [
      { id: 'r1', name: 'Critical', notify: { type: 'schedule', id: 's1' } },
      { id: 'r2', name: 'Quiet', notify: { type: 'none' } },
      { id: 'r3', isDefault: true, name: 'Default', notify: { type: 'escalation', id: 'e1' } },
    ];
    tocsin.data = ({ pathname }) => {
      if (pathname === '/v2/teams') return [{ id: 't1', name: 'Ops' }];
      return pathname === '/v2/teams/t1/routing-rules' ? rules : undefined;
    };
    expect(await routesOf(client)).toEqual([
      { ruleId: 'r1', name: 'routing rule [Critical] of team [Ops]' },
      { ruleId: 'r3', name: 'the default routing rule of team [Ops]' },
    ]);
  });

  it('have taken the alerts whose explanations say so, and the answers about alerts that change no more are kept', async () => {
    tocsin.data = ({ pathname }) => {
      if (pathname === '/v2/alerts/ours-1/explanation')
        return { steps: [step('routing-rule', 'skipped', 'r0'), step('routing-rule', 'matched', 'r1')] };
      if (pathname !== '/v2/alerts/ours-2/explanation') return undefined;
      return { steps: [step('escalation-rule', 'matched', 'e1'), step('routing-rule', 'matched', 'r2')] };
    };
    const alerts = [
      { id: 'a1', tocsinId: 'ours-1', isFinal: true },
      { id: 'a2', tocsinId: 'ours-2', isFinal: false },
    ];
    expect(await taken(...alerts)).toEqual(['r1', 'r2']);
    expect(explanationsAsked()).toBe(2);
    expect(await taken(...alerts)).toEqual(['r1', 'r2']);
    expect(explanationsAsked()).toBe(3);
  });
});

describe('the file of what was learned', () => {
  it('is of one process at a time', () => {
    const kept = new RoutesFile(folder);
    expect(() => new RoutesFile(folder)).toThrow('writes this folder now');
    kept.close();
    new RoutesFile(folder).close();
  });
});
