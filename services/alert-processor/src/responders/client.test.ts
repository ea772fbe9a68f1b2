import { describe, expect, it, jest } from '@jest/globals';
import type { ResponderReference } from '@tocsin/events';
import { addResponders, KafkaConnection, TopicReplicas, type MissLookUp } from '@tocsin/kafka';
import type { Resolution } from '../alerts/decided.ts';
import { lookUp, ResponderDirectory } from './client.ts';
import { directoryOf } from '../testing/directory-samples.ts';

function countedDirectory(answer: (reference: ResponderReference) => Resolution, known: readonly string[] = []) {
  const asked: ResponderReference[] = [];
  const directory = directoryOf(
    (reference) => {
      asked.push(reference);
      return answer(reference);
    },
    ({ name = '' }) => (known.includes(name) ? { id: `id-of-${name}`, name, ownerTeamId: undefined } : undefined),
  );
  return { directory, asked };
}

describe('a look-up of responders', () => {
  it('asks for each reference once', async () => {
    const { directory, asked } = countedDirectory(({ name }) => ({
      kind: 'known',
      id: `id-of-${name ?? ''}`,
      name: '',
    }));
    const references = Array.from({ length: 300 }, (_, index) => ({
      type: 'team' as const,
      name: `t${String(index % 3)}`,
    }));
    const resolve = await lookUp(references, directory);
    expect(asked).toHaveLength(3);
    expect(resolve({ type: 'team', name: 't2' })).toEqual({ kind: 'known', id: 'id-of-t2', name: '' });
  });

  it('asks the owner of 1500 strangers in 15 requests, so that they hold up no other command', async () => {
    const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const connection = { brokers: ['localhost:1'], clientId: 'test', topicPrefix: '', logger };
    const asked: number[] = [];
    const ask: MissLookUp = (_topic, _index, values) => Promise.resolve((asked.push(values.length), []));
    const onFatal = () => undefined;
    const replicas = new TopicReplicas({ kafka: new KafkaConnection(connection), lookUp: ask, logger, onFatal });
    const directory = new ResponderDirectory(addResponders(replicas));
    const strangers = Array.from({ length: 1_500 }, (_, n) => ({ type: 'user' as const, name: `n${n}@example.com` }));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const resolve = await lookUp(strangers, directory);
    clock.mockRestore();
    expect(new Set(strangers.map((stranger) => resolve(stranger).kind))).toEqual(new Set(['unknown']));
    expect(asked).toEqual(Array.from({ length: 15 }, () => 100));
  });

  it('keeps a name and an id of the same spelling apart', async () => {
    const { directory } = countedDirectory(({ id }) =>
      id === undefined ? { kind: 'unknown' } : { kind: 'known', id, name: '' },
    );
    const references: ResponderReference[] = [
      { type: 'user', id: 'x' },
      { type: 'user', name: 'x' },
    ];
    const resolve = await lookUp(references, directory);
    expect(references.map(resolve)).toEqual([{ kind: 'known', id: 'x', name: '' }, { kind: 'unknown' }]);
  });

  it('stops asking for a type whose owner does not answer, and goes on with the others', async () => {
    const { directory, asked } = countedDirectory(({ type }) => ({
      kind: type === 'team' ? 'unreachable' : 'unknown',
    }));
    const teams = Array.from({ length: 2_000 }, (_, index) => ({ type: 'team' as const, id: String(index) }));
    const resolve = await lookUp([...teams, { type: 'user', id: 'ada' }], directory);
    expect(asked.length).toBeLessThan(200);
    expect(resolve({ type: 'team', id: '1999' })).toEqual({ kind: 'unreachable' });
    expect(resolve({ type: 'user', id: 'ada' })).toEqual({ kind: 'unknown' });
  });

  it('finds entities that are known here, also after a failed request', async () => {
    const { directory } = countedDirectory(() => ({ kind: 'unreachable' }), ['ops']);
    const unknown = Array.from({ length: 100 }, (_, index) => ({ type: 'team' as const, name: `typo ${index}` }));
    const resolve = await lookUp([...unknown, { type: 'team', name: 'ops' }], directory);
    expect(resolve({ type: 'team', name: 'ops' })).toEqual({ kind: 'known', id: 'id-of-ops', name: 'ops' });
  });

  it('asks no service after half a second, and still finds entities that are known here', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { directory, asked } = countedDirectory(() => {
      now += 100;
      return { kind: 'unknown' };
    }, ['ops']);
    const unknown = Array.from({ length: 500 }, (_, index) => ({ type: 'team' as const, name: `typo ${index}` }));
    const resolve = await lookUp([...unknown, { type: 'team', name: 'ops' }], directory);
    clock.mockRestore();
    expect(asked.length).toBeLessThan(40);
    expect(resolve({ type: 'team', name: 'typo 0' })).toEqual({ kind: 'unknown' });
    expect(resolve({ type: 'team', name: 'typo 499' })).toEqual({ kind: 'unreachable' });
    expect(resolve({ type: 'team', name: 'ops' }).kind).toBe('known');
  });

  it('treats a reference that was not looked up as unreachable', async () => {
    const resolve = await lookUp(
      [],
      directoryOf(() => ({ kind: 'unknown' })),
    );
    expect(resolve({ type: 'user', id: 'ada' })).toEqual({ kind: 'unreachable' });
  });
});
