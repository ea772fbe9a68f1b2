import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import { NoticeCommands, type ReadinessNotice } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import type { Connection } from '@tocsin/mongo';
import { publishAll } from '@tocsin/testkit';
import { openMailProcess, type OpenMailProcess } from '../testing/killed-mail-process.ts';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { teamOf, userOf } from '../testing/on-call-samples.ts';
import { ReadinessMails } from './operations.ts';

const openDatabase = useDatabase();
const [ADA, BOB, CARL] = ['ada@example.com', 'bob@example.com', 'carl@example.com'];
const DUE = new Date('2026-01-05T09:00:00Z');
const NEXT = new Date('2026-01-12T09:00:00Z');

let connection: Connection;
let clock: ManualClock;
let publisher: RecordingPublisher;
let service: OpenMailProcess;
let mails: ReadinessMails;

beforeEach(async () => {
  clock = new ManualClock(new Date('2026-01-04T12:00:00Z'));
  publisher = new RecordingPublisher();
  connection = await openDatabase();
  service = openMailProcess({ clock, publisher, connection });
  const { store, users } = service;
  mails = new ReadinessMails({ store, users, clock, references: { userCalled: () => Promise.reject(new Error()) } });
  for (const userId of ['ada', 'bob', 'carl']) await store.add({ userId, nextAt: DUE });
});

/** Whom the mails are to that are ordered at `instant`, and the first name in each of their findings. */
async function sentAt(instant: Date): Promise<readonly (readonly [to: string, ...subjects: string[]])[]> {
  const before = publisher.published.length;
  clock.moveTo(instant);
  await service.sendDue();
  service.outbox.start();
  await publishAll(service.outbox);
  return publisher.published.slice(before).map(({ message }) => {
    const { findings, to } = NoticeCommands.schema.parse(message) as ReadinessNotice;
    return [to, ...findings.map((finding) => /(?<=\[).*?(?=\])|\S+@\S+/.exec(finding.message)?.[0] ?? '')] as const;
  });
}

const nextOf = async (userId: string) => (await service.store.ofUser(userId))?.nextAt;

describe('the weekly mail of readiness (U23)', () => {
  it('has the findings of the teams that its user administers, all for an admin of the account, and does not come where there is none', async () => {
    expect(await sentAt(new Date(DUE.getTime() - 1))).toEqual([]);
    const sent = await sentAt(DUE);
    expect(sent.map(([to]) => to).toSorted()).toEqual([ADA, CARL]);
    expect(sent.find(([to]) => to.startsWith('ada'))?.slice(1)).toEqual(['nights', ADA, BOB, 'ops']);
    expect(sent.find(([to]) => to.startsWith('carl'))?.slice(1)).toEqual(['account', 'nights', ADA, BOB, CARL, 'ops']);
    expect(await Promise.all(['ada', 'bob', 'carl'].map(nextOf))).toEqual([NEXT, NEXT, NEXT]);
    expect(await sentAt(new Date('2026-01-12T08:59:59Z'))).toEqual([]);
    expect(await sentAt(NEXT)).toHaveLength(2);
  });

  it('follows the rights at its time, and does not come to a user who is blocked', async () => {
    const { teams, users } = service;
    teams.put('ops', teamOf('ops', { ada: 'user', bob: 'admin' }, { type: 'none' }));
    users.put('carl', { ...userOf('carl'), role: 'admin', blocked: true });
    expect((await sentAt(DUE)).map(([to]) => to)).toEqual([BOB]);
    users.put('carl', { ...userOf('carl'), role: 'owner' });
    expect((await sentAt(NEXT)).map(([to]) => to).toSorted()).toEqual([BOB, CARL]);
  });

  it('ends with its user, and when they switch it off', async () => {
    service.users.remove('ada');
    await service.store.remove('carl');
    expect(await sentAt(DUE)).toEqual([]);
    expect((await service.store.all()).map(({ userId }) => userId)).toEqual(['bob']);
    service.users.remove('bob');
    await mails.followUsers();
    expect(await service.store.all()).toEqual([]);
  });

  it('waits by itself while directory does not answer who its user is', async () => {
    service.users.forget('ada');
    service.users.refuseWith(new UnavailableError('The directory does not answer.'));
    expect((await sentAt(DUE)).map(([to]) => to)).toEqual([CARL]);
    expect(await nextOf('ada')).toEqual(DUE);
    service = openMailProcess({ clock, publisher, connection });
    expect((await sentAt(DUE)).map(([to]) => to)).toEqual([ADA]);
  });

  it('moves with the time zone of its user to the east', async () => {
    service.users.put('ada', { ...userOf('ada'), timeZone: 'Asia/Tokyo' });
    await mails.followUsers();
    expect(await nextOf('ada')).toEqual(new Date('2026-01-05T00:00:00Z'));
    expect((await sentAt(new Date('2026-01-05T00:00:00Z'))).map(([to]) => to)).toEqual([ADA]);
    expect(await nextOf('ada')).toEqual(new Date('2026-01-12T00:00:00Z'));
    expect((await sentAt(DUE)).map(([to]) => to)).toEqual([CARL]);
  });

  it('moves with the time zone of its user to the west, also where it is due before that was noticed', async () => {
    service.users.put('ada', { ...userOf('ada'), timeZone: 'America/New_York' });
    expect((await sentAt(DUE)).map(([to]) => to)).toEqual([CARL]);
    expect(await nextOf('ada')).toEqual(new Date('2026-01-05T14:00:00Z'));
    expect((await sentAt(new Date('2026-01-05T14:00:00Z'))).map(([to]) => to)).toEqual([ADA]);
    service.users.put('ada', { ...userOf('ada'), timeZone: 'America/Los_Angeles' });
    await mails.followUsers();
    expect(await nextOf('ada')).toEqual(new Date('2026-01-12T17:00:00Z'));
  });

  it('comes once after an outage of weeks', async () => {
    expect((await sentAt(new Date('2026-01-28T00:00:00Z'))).map(([to]) => to)).toHaveLength(2);
    expect(await nextOf('ada')).toEqual(new Date('2026-02-02T09:00:00Z'));
  });

  it('is ordered once however often its user orders it', async () => {
    expect(await service.store.add({ userId: 'ada', nextAt: NEXT })).toEqual({ userId: 'ada', nextAt: DUE });
  });
});
