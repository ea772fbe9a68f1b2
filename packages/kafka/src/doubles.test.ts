import { NotFoundError, UnavailableError } from '@tocsin/core';
import { defineTopic } from '@tocsin/events';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { MemoryReplica, RecordingPublisher } from './index.ts';

const Notes = defineTopic<{ id: string; text?: string | undefined }>({
  name: 'notes.v1',
  kind: 'events',
  schema: z.object({ id: z.string(), text: z.string().optional() }),
  key: (note) => note.id,
});

describe('RecordingPublisher', () => {
  it('keeps messages as a consumer would read them', async () => {
    const publisher = new RecordingPublisher();
    await publisher.publish(Notes, [{ id: 'a', text: undefined }]);
    await publisher.erase(Notes, ['b']);
    expect(publisher.published).toEqual([
      { topic: 'notes.v1', key: 'a', message: { id: 'a' } },
      { topic: 'notes.v1', key: 'b', message: null },
    ]);
    expect(publisher.published[0]?.message).not.toHaveProperty('text');
  });

  it('keeps nothing of a refused message', async () => {
    const publisher = new RecordingPublisher();
    publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    await expect(publisher.publish(Notes, [{ id: 'a' }])).rejects.toThrow(UnavailableError);
    publisher.refuseWith(undefined);
    await publisher.publish(Notes, [{ id: 'b' }]);
    expect(publisher.published.map(({ key }) => key)).toEqual(['b']);
  });
});

describe('MemoryReplica', () => {
  it('finds an entity by its id and its indexes, and calls its listeners', () => {
    const teams = new MemoryReplica<{ name: string }>({ name: (team) => team.name });
    const changed: string[] = [];
    const leave = teams.whenChanged((id) => changed.push(id));
    teams.put('1', { name: 'ops' });
    expect(teams.get('1')).toEqual({ name: 'ops' });
    expect(teams.find('name', 'ops')).toEqual({ name: 'ops' });
    teams.remove('1');
    leave();
    teams.put('2', { name: 'net' });
    expect([...teams.all()]).toEqual([{ name: 'net' }]);
    expect(changed).toEqual(['1', '1']);
  });

  it('fetches an entity that only its owner has, and fails where the owner does not answer', async () => {
    const teams = new MemoryReplica<{ name: string }>();
    teams.put('1', { name: 'ops' });
    teams.ownerHas('id', '2', { name: 'net' });
    expect(await teams.fetch('id', '2')).toEqual({ name: 'net' });
    expect(await teams.fetch('id', '3')).toBeUndefined();
    teams.refuseWith(new NotFoundError('unavailable'));
    await expect(teams.fetch('id', '3')).rejects.toThrow('unavailable');
    expect(await teams.fetch('id', '1')).toEqual({ name: 'ops' });
  });
});
