import { describe, expect, it } from '@jest/globals';
import { emptiedDatabase } from '@tocsin/testing';
import { describeContactStore } from './contact-store.contract.ts';
import { mongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';
import { teamSource, userSource } from './mongo-states.ts';
import { sampleActivation, sampleDraft, sampleUser, sampleVerification } from '../testing/stored-samples.ts';
import { describeTeamHistory } from './team-history.contract.ts';
import { describeRoleStore } from './role-store.contract.ts';
import { describeTeamStore } from './team-store.contract.ts';
import { describeUserList } from './user-list.contract.ts';
import { describeUserStore } from './user-store.contract.ts';
import { describeVerificationEventStore, verificationBatch } from './verification-event-store.contract.ts';

const openEmptied = emptiedDatabase(openMigrated);
const create = async () => mongoDirectory(await openEmptied());

async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describeUserStore('MongoUserStore', create);
describeUserList('MongoUserStore', create);
describeRoleStore('MongoRoleStore', create);
describeVerificationEventStore('MongoVerificationEventStore', create);
describeContactStore('MongoUserStore', create);
describeTeamStore('MongoTeamStore', create);
describeTeamHistory('MongoTeamStore', create);

describe('what the stores announce', () => {
  it('is each user as created, then the word that they are gone', async () => {
    const { users, publisher } = await create();
    await users.insert(sampleUser('ada'));
    await users.remove('user-ada');
    expect(publisher.published).toMatchObject([
      { topic: 'users.v1', key: 'user-ada', message: { deleted: false, state: { username: 'ada@example.com' } } },
      { topic: 'users.v1', key: 'user-ada', message: { deleted: true, version: { n: 2 } } },
    ]);
  });

  it('is a user whom a mail has verified, once', async () => {
    const { users, outbox, verifications, publisher } = await create();
    await users.insert(sampleUser('ada'));
    await verifications.settle([verificationBatch([sampleVerification('ada')])]);
    await verifications.settle([verificationBatch([sampleVerification('ada')], 1)]);
    await outbox.flush();
    expect(publisher.published.map(({ message }) => message)).toMatchObject([
      { id: 'user-ada', version: { n: 1 } },
      { id: 'user-ada', version: { n: 2 } },
    ]);
  });

  it('is nothing of a user who was refused or never there', async () => {
    const { users, publisher } = await create();
    await users.insert(sampleUser('ada', { role: { id: 'owner', name: 'owner' } }));
    await users.remove('user-ada');
    await users.remove('nobody');
    expect(publisher.published).toHaveLength(1);
  });

  it('is a team when it is whole, and the word that it is gone when its removal begins', async () => {
    const { teams, publisher } = await create();
    await teams.begin(sampleDraft('Ops'));
    expect(publisher.published).toEqual([]);
    await teams.activate('team-Ops', 'first', sampleActivation('Ops'));
    await teams.beginRemoval('team-Ops', 'first');
    await teams.endRemoval('team-Ops');
    expect(publisher.published).toMatchObject([
      { topic: 'teams.v1', key: 'team-Ops', message: { deleted: false, version: { n: 1 }, state: { name: 'Ops' } } },
      { topic: 'teams.v1', key: 'team-Ops', message: { deleted: true, version: { n: 2 } } },
    ]);
  });

  it('is nothing of a team that was never whole', async () => {
    const { teams, publisher } = await create();
    await teams.begin(sampleDraft('Ops'));
    await teams.beginRemoval('team-Ops', 'first');
    expect(publisher.published).toEqual([]);
  });
});

describe('the sources of what is published again', () => {
  it('hold every user, and the whole teams alone', async () => {
    const { connection, users, teams } = await create();
    await users.insert(sampleUser('ada'));
    await teams.begin(sampleDraft('Ops'));
    await teams.begin(sampleDraft('Web'));
    await teams.activate('team-Web', 'first', sampleActivation('Web'));
    expect(await collected(userSource(connection).ids())).toEqual(['user-ada']);
    expect(await collected(teamSource(connection).ids())).toEqual(['team-Web']);
    expect([...(await teamSource(connection).load(['team-Ops', 'team-Web'])).keys()]).toEqual(['team-Web']);
  });

  it('are read as the majority has them, and so are look-ups: no replica hears what a fail-over takes back', async () => {
    const { connection, users, teams } = await create();
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => concerns.push(command['readConcern']));
    await userSource(connection).load(['user-ada']);
    await teamSource(connection).load(['team-Ops']);
    await users.withAny('username', ['ada@example.com']);
    await teams.withAny('name', ['Ops']);
    expect(concerns).toEqual(Array.from({ length: 4 }, () => ({ level: 'majority' })));
  });
});
