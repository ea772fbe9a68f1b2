import { describe, expect, it } from '@jest/globals';
import { statesOf } from '@tocsin/mongo';
import { TEAM } from './teams/store.ts';
import { emptyStores } from './testing/mongo-fixture.ts';
import { sampleActivation, sampleDraft, sampleRole, sampleUser, sampleVerification } from './testing/stored-samples.ts';
import { verificationBatch } from './testing/verification-batch.ts';
import { USER } from './users/store.ts';

describe('the states that the stores publish', () => {
  it('is each user as created, then the word that they are gone', async () => {
    const { users, publisher } = await emptyStores();
    await users.insert(sampleUser('ada'));
    await users.remove('user-ada');
    expect(publisher.published).toMatchObject([
      { topic: 'users.v1', key: 'user-ada', message: { deleted: false, state: { username: 'ada@example.com' } } },
      { topic: 'users.v1', key: 'user-ada', message: { deleted: true, version: { n: 2 } } },
    ]);
  });

  it('is a user whom a mail has verified, once', async () => {
    const { users, outbox, verifications, publisher } = await emptyStores();
    await users.insert(sampleUser('ada'));
    await verifications.process([verificationBatch([sampleVerification('ada')])]);
    await verifications.process([verificationBatch([sampleVerification('ada')], 1)]);
    await outbox.flush();
    expect(publisher.published.map(({ message }) => message)).toMatchObject([
      { id: 'user-ada', version: { n: 1 } },
      { id: 'user-ada', version: { n: 2 } },
    ]);
  });

  it('has each custom role with the role that it extends, then its deletion', async () => {
    const { roles, publisher } = await emptyStores();
    await roles.insert(sampleRole('Watch'));
    await roles.change({ name: 'Watch' }, (role) => ({ ...role, extendedRole: 'user', version: { epoch: 1, n: 2 } }));
    await roles.remove({ name: 'Watch' });
    expect(publisher.published).toMatchObject([
      { topic: 'roles.v1', key: 'role-Watch', message: { version: { n: 1 }, state: { extendedRole: 'observer' } } },
      { topic: 'roles.v1', key: 'role-Watch', message: { version: { n: 2 }, state: { extendedRole: 'user' } } },
      { topic: 'roles.v1', key: 'role-Watch', message: { deleted: true, version: { n: 3 } } },
    ]);
  });

  it('has nothing of a user who was refused or never existed', async () => {
    const { users, publisher } = await emptyStores();
    await users.insert(sampleUser('ada', { role: { id: 'owner', name: 'owner' } }));
    await users.remove('user-ada');
    await users.remove('unknown');
    expect(publisher.published).toHaveLength(1);
  });

  it('is a team when it is whole, and the word that it is gone when its removal begins', async () => {
    const { teams, publisher } = await emptyStores();
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

  it('has nothing of a team that was never complete', async () => {
    const { teams, publisher } = await emptyStores();
    await teams.begin(sampleDraft('Ops'));
    await teams.beginRemoval('team-Ops', 'first');
    expect(publisher.published).toEqual([]);
  });
});

describe('the sources of repeated publications', () => {
  it('hold the whole teams alone', async () => {
    const { connection, teams } = await emptyStores();
    await teams.begin(sampleDraft('Ops'));
    await teams.begin(sampleDraft('Web'));
    await teams.activate('team-Web', 'first', sampleActivation('Web'));
    expect([...(await statesOf(connection, TEAM).load(['team-Ops', 'team-Web'])).keys()]).toEqual(['team-Web']);
  });

  it('are read as the majority has them, and so are look-ups: no replica gets a state that a fail-over reverts', async () => {
    const { connection, users, teams } = await emptyStores();
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => concerns.push(command['readConcern']));
    await statesOf(connection, USER).load(['user-ada']);
    await users.withAny('username', ['ada@example.com']);
    await teams.withAny('name', ['Ops']);
    expect(concerns).toEqual(Array.from({ length: 3 }, () => ({ level: 'majority' })));
  });
});
