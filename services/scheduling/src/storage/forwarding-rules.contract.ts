import { describe, expect, it } from '@jest/globals';
import { nextVersion } from '@tocsin/contracts';
import type { ForwardingRule } from '../domain/forwarding.ts';
import { forwardingOf } from '../testing/on-call-samples.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

const during = Date.parse('2026-06-01T00:00:00Z');
const named = forwardingOf('ada', 'bob', { id: 'named', alias: 'Holiday' });
const unnamed = forwardingOf('ada', 'eve', { id: 'unnamed', createdAt: new Date('2026-01-01T00:00:00.001Z') });

const put = (store: ConfigurationStore, ...rules: readonly ForwardingRule[]) =>
  store.change(() => ({ forwardingRules: { put: rules }, answer: undefined }));
const holder = async (store: ConfigurationStore) =>
  (await store.current()).forwardings.at('ada', during, () => true).userId;

/** What every configuration store promises about forwarding rules, which have no name, seldom an alias, and no topic. */
export function describeForwardingRules(name: string, create: () => Promise<ConfigurationStore>): void {
  describe(`${name} as a store of forwarding rules`, () => {
    it('gives back what was written, by id and by alias, an absent alias included', async () => {
      const store = await create();
      expect((await store.current()).forwardingRules.all()).toEqual([]);
      await put(store, unnamed, named);
      const { forwardingRules } = await store.current();
      expect(forwardingRules.all()).toEqual([named, unnamed]);
      expect([forwardingRules.get('unnamed'), forwardingRules.named('Holiday')]).toEqual([unnamed, named]);
    });

    it('passes duties on by the rules as they were written last, the one created last winning', async () => {
      const store = await create();
      await put(store, named);
      expect(await holder(store)).toBe('bob');
      await put(store, unnamed);
      expect(await holder(store)).toBe('eve');
      await put(store, { ...unnamed, fromUserId: 'joe', version: nextVersion(unnamed.version) });
      expect(await holder(store)).toBe('bob');
      await store.change(() => ({ forwardingRules: { removed: [named] }, answer: undefined }));
      expect(await holder(store)).toBe('ada');
    });

    it('lets an alias go to another rule in the step that frees it', async () => {
      const store = await create();
      await put(store, named);
      const heir = { ...named, id: 'heir' };
      await store.change(() => ({ forwardingRules: { put: [heir], removed: [named] }, answer: undefined }));
      expect((await store.current()).forwardingRules.named('Holiday')?.id).toBe('heir');
    });
  });
}
