import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import type { System } from '../fault.ts';
import { missingEvidence, type Evidence } from './evidence.ts';
import { RELEASES } from './releases.ts';
import { settingsOf, upgradeAndBack } from './upgrade-and-back.ts';

const TOPICS = ['alert-commands.v1', 'alert-events.v1', 'pages.v1'];
const records = TOPICS.map((topic) => ({ topic, headers: { v: '3' } }));

/** An installation that leaves everything behind at once, and what was done to it: stops and starts in their order. */
function installation(changes: { readonly records?: typeof records } = {}) {
  const done: string[] = [];
  const replica = (service: string, number: number) => ({
    stop: () => Promise.resolve(void done.push(`stop ${service}-${number}`)),
    start: ({ NODE_OPTIONS = 'present' }: Readonly<Record<string, string>>) =>
      Promise.resolve(void done.push(`${service}-${number} ${/[a-z-]+$/.exec(NODE_OPTIONS)?.[0] ?? ''}`)),
  });
  const results = {
    published: { ofAlerts: () => Promise.resolve(changes.records ?? records) },
    stored: {
      rows: () => Promise.resolve([{}]),
      indexes: () => Promise.resolve([{ acceptedBy: 1 }]),
    },
  };
  const texts = Object.values(RELEASES).map(({ acceptedBy }) => `[P3] f1-1 (#1) by ${acceptedBy}`);
  const system = { services: { replica, results }, sinks: { texts } } as unknown as System;
  return { done, system };
}

describe('the upgrade and the way back', () => {
  it('replace each process of each service in turn, by one release after the other', async () => {
    const { done, system } = installation();
    await upgradeAndBack(system, () => Promise.resolve());
    const processes = ['1', '2'].flatMap((number) => SERVICES.map((service) => `${service}-${number}`));
    expect(done).toEqual(
      ['next', 'after-next', 'next', 'present'].flatMap((release) =>
        processes.flatMap((name) => [`stop ${name}`, `${name} ${release}`]),
      ),
    );
  });

  it('fail where a release did not run as such', async () => {
    const { system } = installation({ records: records.slice(1) });
    await expect(upgradeAndBack(system, () => Promise.resolve())).rejects.toThrow(
      'The release after-next did not run as such: no record of version 3 on alert-commands.v1.',
    );
  });

  it('start the present release without further settings', () => {
    expect(settingsOf('present')).toEqual({});
    expect(settingsOf('next')['NODE_OPTIONS']).toMatch(/^--import=file:.*\/load-release\.ts\?release=next$/);
  });
});

describe('what a release leaves behind', () => {
  const all: Evidence = {
    pages: 1,
    alerts: 1,
    hasIndex: true,
    newRecords: Object.fromEntries(TOPICS.map((topic) => [topic, 1])),
  };

  it('is complete', () => {
    expect(missingEvidence('after-next', all)).toEqual([]);
    expect(missingEvidence('next', { ...all, newRecords: {} })).toEqual([]);
  });

  it.each<[string, Partial<Evidence>]>([
    ['no page with its field', { pages: 0 }],
    ['no stored alert with its field', { alerts: 0 }],
    ['no index of its field', { hasIndex: false }],
    ['no record of version 3 on pages.v1', { newRecords: { ...all.newRecords, 'pages.v1': 0 } }],
  ])('lacks something: %s', (missing, changes) => {
    expect(missingEvidence('after-next', { ...all, ...changes })).toEqual([missing]);
  });
});
