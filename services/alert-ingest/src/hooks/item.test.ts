import { describe, expect, it } from '@jest/globals';
import { ALERT_LIMITS, codePoints } from '@tocsin/events';
import fc from 'fast-check';
import { DEFAULT_ACTIONS } from '../integrations/action.ts';
import { groups, NAMES, rulesOf } from '../testing/evaluation.ts';
import { ITEM_OPTIONS } from '../testing/preset-samples.ts';
import { evaluateItem } from './hook-alert.ts';
import { readItem, valuesOf, type HookRequest } from './item.ts';
import { Preset } from './preset.ts';
import { PRESETS_FOLDER, readPresets } from './preset-store.ts';

const ORIGIN = { alertId: 'id-1', ownerTeamId: undefined };
const requestOf = (payload: unknown, more: Partial<HookRequest> = {}): HookRequest => ({
  payload,
  headers: {},
  query: {},
  ...more,
});
const presetOf = (changes: object): Preset =>
  Preset.parse({ name: 'tool', title: 'Tool', fields: { key: ['id'], summary: ['text'] }, ...changes });
const itemOf = (preset: Preset, payload: unknown, more: Partial<HookRequest> = {}) =>
  readItem(preset, payload, requestOf(payload, more), ITEM_OPTIONS);

describe('the fields of an item', () => {
  it('are those of the first source that is not blank, of the item, the payload, a header or the query', () => {
    const preset = presetOf({
      fields: {
        key: ['no', ' ', 'blank', '_headers.X-Key'],
        summary: ['$.a.b[1]', 'text'],
        text: ['{{_item.no}} of {{_query.no}}', '{{_item.a.c}}/{{_query.q.toUpperCase()}}'],
      },
    });
    const payload = { blank: ' ', text: 't', a: { b: ['x', 'y'], c: 7 } };
    const { fields } = itemOf(preset, payload, { headers: { 'x-key': 'k' }, query: { q: 'up' } });
    expect(fields).toEqual({ key: 'k', summary: 'y', text: '7/UP' });
  });

  it('give a state by its word in any case, else by the longest beginning with a star', () => {
    const preset = presetOf({
      fields: { key: ['id'], summary: ['text'], state: ['s'] },
      states: { 'Down*': 'open', 'down (ack*': 'acknowledge', up: 'close' },
    });
    const stateOf = (s: string) => itemOf(preset, { id: 1, s }).state;
    expect(['UP', ' up ', 'down', 'Down (Acknowledged)', 'Down since 9', 'upper', ''].map(stateOf)).toEqual([
      'close',
      'close',
      'open',
      'acknowledge',
      'open',
      undefined,
      undefined,
    ]);
  });

  it('name what the preset does not know, and a blank key', () => {
    const preset = presetOf({
      fields: { key: ['id'], summary: ['text'], state: ['s'], severity: ['p'] },
      states: { up: 'close' },
      priorities: { high: 'P2' },
    });
    expect(itemOf(preset, { id: 'a', s: 'odd', p: 'odd' }).remarks).toEqual([
      'The state [odd] is unrecognised by the preset [tool].',
      'The severity [odd] is unrecognised by the preset [tool].',
    ]);
    expect(itemOf(preset, { id: ' ', p: 'p1' }).remarks).toEqual([
      "The request has no key, so the sender's closes cannot find its alert.",
    ]);
  });

  it('give aliases that differ for keys that differ, also for those that are too long for one', () => {
    const long = 'k'.repeat(2 * ALERT_LIMITS.alias);
    const [short, first, second] = ['a', long, `${long}2`].map((id) => itemOf(presetOf({}), { id }).alias);
    expect(short).toBe('tool:1a2b3c4d:a');
    expect(codePoints(first ?? '')).toBeLessThanOrEqual(ALERT_LIMITS.alias);
    expect(first).not.toBe(second);
  });

  it('take the first source of which nothing is blank, else the first that is not blank as a whole', () => {
    const summary = ['{{_item.host}}/{{_item.check}}', '{{_item.host}} as such', 'text'];
    const textOf = (payload: object) =>
      itemOf(presetOf({ fields: { key: ['id'], summary } }), payload).fields['summary'];
    expect(textOf({ host: 'db-1', check: 'disk', text: 'Look' })).toBe('db-1/disk');
    expect(textOf({ host: 'db-1', check: ' ', text: 'Look' })).toBe('db-1 as such');
    expect(textOf({ check: 'disk', text: 'Look' })).toBe('Look');
    expect(textOf({ check: 'disk' })).toBe('/disk');
    expect(textOf({})).toBe('');
  });

  it('give details and tags of maps, lists and texts, the first of a name', () => {
    const preset = presetOf({ details: ['labels', 'a.b', '$.labels'], tags: ['tags', 'words', '{{_item.a.b}}!'] });
    const { details, tags } = itemOf(preset, {
      labels: { 'a.b': 1, x: true, none: null, list: ['1', '2'] },
      a: { b: 'B' },
      tags: ['t', 7, { no: 1 }],
      words: 'u, t,',
    });
    expect(details).toEqual({ 'a.b': '1', x: 'true', list: '1, 2', b: 'B' });
    expect(tags).toEqual(['t', '7', 'u', 'B!']);
  });

  it('make a test an alert of low priority', () => {
    const preset = presetOf({ test: [{ field: 'id', operation: 'equals', expectedValue: 'test' }] });
    expect(itemOf(preset, { id: 'test' })).toMatchObject({ isTest: true, priority: 'P5', tags: ['test'] });
    expect(itemOf(preset, { id: 'tests' })).toMatchObject({ isTest: false, tags: [] });
  });
});

describe('an item', () => {
  it('of an unknown state opens an alert that says so', () => {
    const preset = presetOf({
      fields: { key: ['id'], summary: ['text'], state: ['s'] },
      states: { up: 'close' },
    });
    const { evaluated } = evaluateItem(rulesOf(DEFAULT_ACTIONS), itemOf(preset, { id: 1, s: 'odd' }), ORIGIN, NAMES);
    expect(evaluated).toMatchObject({
      kind: 'create',
      alias: 'tool:1a2b3c4d:1',
      alert: { message: 'Alert from Tool', remarks: ['The state [odd] is unrecognised by the preset [tool].'] },
    });
  });

  it('without a key opens an alert of its own, and closes none', () => {
    const preset = presetOf({
      fields: { key: ['id'], summary: ['text'], state: ['s'] },
      states: { up: 'close', down: 'open' },
    });
    const effectOf = (payload: object) =>
      evaluateItem(rulesOf(DEFAULT_ACTIONS), itemOf(preset, payload), ORIGIN, NAMES).evaluated;
    expect(effectOf({ s: 'down' })).toMatchObject({ kind: 'create', alias: '', alert: { alias: 'id-1' } });
    expect(effectOf({ s: 'up' })).toMatchObject({ kind: 'dropped' });
  });

  it('meets the actions of its integration, which know its fields, its state and the request', () => {
    const preset = presetOf({
      fields: { key: ['id'], summary: ['text'], state: ['s'], zone: ['z'] },
      states: { up: 'close' },
    });
    const conditions = [
      { field: '_state', not: false, operation: 'equals' as const, expectedValue: 'close' },
      { field: 'zone', not: false, operation: 'equals' as const, expectedValue: 'eu' },
      { field: '_item.list[0]["a.b"]', not: false, operation: 'equals' as const, expectedValue: 'c' },
      { field: '_headers.X-A', not: false, operation: 'equals' as const, expectedValue: 'h' },
      { field: 'none', not: false, operation: 'is-empty' as const, expectedValue: '' },
    ];
    const filter = { set: { type: 'match-all-conditions' as const, conditions }, written: {} };
    const alias =
      '{{key}} {{_item.s}} {{_payload.z}} {{_headers.x-a}} {{_query.q}} {{_preset}} {{_alias}} {{_item.list}}';
    const rules = rulesOf(groups({ type: 'addNote', name: 'N', alias, filter, note: '{{zone}}' }));
    const item = itemOf(
      preset,
      { id: 1, s: 'up', z: 'eu', list: [{ 'a.b': 'c' }] },
      { headers: { 'x-a': 'h' }, query: { q: 'w' } },
    );
    expect(evaluateItem(rules, item, ORIGIN, NAMES).evaluated).toMatchObject({
      kind: 'add-note',
      alias: '1 up eu h w tool tool:1a2b3c4d:1 {"a.b":"c"}',
      note: 'eu',
    });
  });
});

it('any JSON makes at least one item of every preset, each within the limits of an alert', async () => {
  const presets = await readPresets(PRESETS_FOLDER);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(...presets), (payload, preset) => {
      const request = requestOf(payload);
      const values = valuesOf(preset, request);
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) {
        const item = readItem(preset, value, request, ITEM_OPTIONS);
        const { evaluated } = evaluateItem(rulesOf(DEFAULT_ACTIONS), item, ORIGIN, NAMES);
        if (evaluated.kind !== 'create') continue;
        const { message, alias, description, entity, tags } = evaluated.alert;
        expect(message.trim()).not.toBe('');
        expect(codePoints(message)).toBeLessThanOrEqual(ALERT_LIMITS.message);
        expect(codePoints(alias)).toBeLessThanOrEqual(ALERT_LIMITS.alias);
        expect(codePoints(description)).toBeLessThanOrEqual(ALERT_LIMITS.description);
        expect(codePoints(entity)).toBeLessThanOrEqual(ALERT_LIMITS.entity);
        expect(tags.length).toBeLessThanOrEqual(ALERT_LIMITS.tags);
      }
    }),
  );
});
