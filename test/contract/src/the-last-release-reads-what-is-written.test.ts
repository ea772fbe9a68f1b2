import { describe, expect, it } from '@jest/globals';
import { ALL_TOPICS, AlertCommands, Pages, readVersionOf, type TopicDefinition } from '@tocsin/events';
import { RELEASED } from './released-schemas.ts';
import { factsOf, faultsOf } from './schema-facts.ts';

const topics = ALL_TOPICS as readonly unknown[] as readonly TopicDefinition<unknown>[];

describe.each(topics)('$name', (topic) => {
  it('is written so that the last release reads it: a roll-back loses nothing', () => {
    const released = RELEASED[topic.name];
    expect(released === undefined ? [] : faultsOf(released, factsOf(topic))).toEqual([]);
  });

  it('is read without the fields that a later release adds', () => {
    const schema = topic.schema.toJSONSchema({ unrepresentable: 'any', io: 'input' });
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
  });

  it('is read at its written version or at the next one', () => {
    const { version = 1 } = topic;
    expect([version, version + 1]).toContain(readVersionOf(topic));
  });
});

describe('a change of a schema', () => {
  const released = factsOf(AlertCommands);
  const kind = '<kind acknowledge>.kind = "acknowledge"';
  const older = { ...released, values: released.values.filter((value) => value !== kind) };

  it('is none where nothing changes', () => {
    expect(released.values).toContain(kind);
    expect(faultsOf(released, released)).toEqual([]);
  });

  it('that adds a member or a value is refused until a release reads it', () => {
    expect(faultsOf(older, released)).toEqual([`The last release does not know ${kind}: raise \`reads\` by 1.`]);
    expect(faultsOf(older, { ...released, reads: released.reads + 1 })).toEqual([]);
  });

  it('that writes what the last release did not read is refused', () => {
    const { reads, version } = released;
    const early = { ...released, reads: reads + 1, version: version + 1 };
    expect(faultsOf(older, early)).toEqual([
      `Version ${version + 1} is written, and the last release reads ${reads}: write it a release later.`,
    ]);
    expect(faultsOf({ ...older, reads: reads + 1 }, early)).toEqual([
      `The last release does not know ${kind}: raise \`reads\` by 1.`,
    ]);
  });

  it('that leaves out a field which the last release needs is refused', () => {
    const pages = factsOf(Pages);
    const without = { ...pages, required: pages.required.filter((field) => field !== '<kind page>.userId') };
    expect(faultsOf(pages, without)).toEqual(['The last release needs <kind page>.userId: raise `reads` by 1.']);
  });

  it('that adds an optional field is none', () => {
    const pages = factsOf(Pages);
    expect(faultsOf(pages, { ...pages, required: [...pages.required, '.later'] })).toEqual([]);
  });
});
