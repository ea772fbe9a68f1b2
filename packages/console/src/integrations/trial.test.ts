import { describe, expect, it, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import {
  effectText,
  fieldFacts,
  itemFacts,
  sampleOptions,
  refusedDraft,
  requestFault,
  requestOf,
  trialBody,
  type TriedItem,
} from './trial.ts';

const opening: TriedItem = {
  fields: { key: 'disk-1', severity: 'critical', text: '' },
  state: 'open',
  priority: 'P1',
  isTest: false,
  effect: 'create',
  alias: 'fallback:0198c0de:disk-1',
  action: { type: 'create', name: 'Open' },
  unmatched: [],
  alert: {
    message: 'Disk full',
    description: '',
    entity: 'db-1',
    source: '',
    priority: 'P1',
    tags: ['disk', 'db'],
    details: { region: 'eu' },
    responders: [
      { type: 'team', id: 't1', name: 'Ops' },
      { type: 'user', id: 'u1' },
    ],
  },
  note: '',
  user: 'Webhook',
  remarks: [],
};

const OPEN = { id: 'a1', tinyId: '7', status: 'open', acknowledged: false, priority: 'P3' } as const;

describe('what would come of an item', () => {
  it.each([
    [{}, 'It opens the alert “Disk full” of priority P1, or counts on the open alert with its alias.'],
    [{ effect: 'close' }, 'It closes the open alert with its alias.'],
    [{ effect: 'acknowledge' }, 'It acknowledges the open alert with its alias.'],
    [{ effect: 'add-note', note: 'up' }, 'It adds the note “up” to the open alert with its alias.'],
    [{ effect: 'none', reason: 'No action matches.' }, 'Nothing would happen. No action matches.'],
    [{ effect: 'none' }, 'Nothing would happen.'],
    [{ outcome: 'opened' }, 'It opens the alert “Disk full” of priority P1.'],
    [{ outcome: 'counted', openAlert: OPEN }, 'It counts on the open alert #7.'],
    [{ outcome: 'counted' }, 'It counts on the open alert with its alias.'],
    [{ outcome: 'raised', openAlert: OPEN }, 'It raises the open alert #7 from P3 to P1.'],
    [
      { outcome: 'raised', openAlert: { ...OPEN, acknowledged: true } },
      'It raises the open alert #7 from P3 to P1. No user is paged again, because it is acknowledged.',
    ],
    [{ effect: 'close', outcome: 'closed', openAlert: OPEN }, 'It closes the open alert #7.'],
    [{ effect: 'close', outcome: 'nothing-to-close' }, 'No alert with its alias is open: it closes nothing.'],
    [{ effect: 'acknowledge', outcome: 'acknowledged', openAlert: OPEN }, 'It acknowledges the open alert #7.'],
    [
      { effect: 'add-note', note: 'up', outcome: 'noted', openAlert: OPEN },
      'It adds the note “up” to the open alert #7.',
    ],
    [{ outcome: 'dropped', requestStatus: 'In maintenance.' }, 'Nothing would happen. In maintenance.'],
    [{ outcome: 'failed', requestStatus: 'Alert does not exist' }, 'It would fail. Alert does not exist'],
  ] as const)('is a sentence: %j', (change, text) => {
    expect(effectText({ ...opening, ...change })).toBe(text);
  });

  it('comes with what is known of it, and with nothing blank', () => {
    expect(itemFacts(opening)).toEqual([
      ['Alias', 'fallback:0198c0de:disk-1'],
      ['Action', 'Open'],
      ['Entity', 'db-1'],
      ['Tags', 'disk, db'],
      ['By', 'Webhook'],
    ]);
    expect(fieldFacts(opening)).toEqual([
      ['key', 'disk-1'],
      ['severity', 'critical'],
      ['Detail region', 'eu'],
    ]);
  });

  it('says that no action matches, and that no later request finds its alert', () => {
    const { action: _, alert: __, ...rest } = opening;
    expect(itemFacts({ ...rest, fields: {}, alias: '', effect: 'none', isTest: true, user: '' })).toEqual([
      ['Action', 'none matches'],
      ['Test', 'a test of the tool'],
    ]);
    expect(itemFacts({ ...opening, alias: '' })[0]).toEqual(['Alias', 'none: no later request finds its alert']);
  });
});

test('A sample is tried as the tool sends it, with the preset and the draft that are given.', () => {
  const headers = { 'user-agent': 'Tool' };
  const request = requestOf({ name: 'open', about: 'An alert.', payload: { a: 1 }, headers, query: { q: '1' } });
  const raw = '{\n  "a": 1\n}';
  const none = { preset: undefined, actions: undefined };
  expect(trialBody(request, none)).toEqual({ raw, headers, query: { q: '1' } });
  expect(trialBody(request, { preset: 'tool', actions: { close: [] } })).toEqual({
    raw,
    headers,
    query: { q: '1' },
    preset: 'tool',
    actions: { close: [] },
  });
});

test('A sample is chosen by what it says, and a request that came by its time and what became of it.', () => {
  const received = {
    id: 'r1',
    receivedAt: '2026-03-01T09:00:00Z',
    preset: 'tool',
    itemCount: 2,
    items: [
      { requestId: 'r1', effect: 'create', alias: 'a' },
      { requestId: 'r1', effect: 'create', alias: 'b' },
    ] as const,
    isTruncated: false,
  };
  const sample = { name: 'open', about: 'An alert.', payload: {}, headers: {}, query: {} };
  const refused = { ...received, id: 'r2', itemCount: 1, items: [], refusal: 'It is no JSON.', isTruncated: true };
  const names = sampleOptions([sample], [received, refused], 'UTC').map(({ value, name }) => [value, name]);
  expect(names).toEqual([
    ['', 'None: type or paste a request'],
    ['r1', expect.stringMatching(/^Received .*, 2 items: create$/)],
    ['r2', expect.stringMatching(/^Received .*, refused, not all of it kept$/)],
    ['open', 'open: An alert.'],
  ]);
});

test('The path of a request that came names its preset, unless a person chooses another.', () => {
  const came = { raw: '{}', headers: {}, query: {}, preset: 'tool' };
  expect(trialBody(came, { preset: undefined, actions: undefined })).toMatchObject({ preset: 'tool' });
  expect(trialBody(came, { preset: 'other', actions: undefined })).toMatchObject({ preset: 'other' });
});

test('What the server refused is said at the request, or at the fields of the draft.', () => {
  const refusal = (fields: Readonly<Record<string, string>>) => new CallError({ status: 422, message: 'No.', fields });
  expect(requestFault(refusal({ raw: 'It is no JSON.' }))).toBe('The request can not be read: It is no JSON.');
  expect(requestFault(refusal({ preset: 'is unknown' }))).toBeUndefined();
  expect(requestFault(new Error('no answer'))).toBeUndefined();
  expect(refusedDraft(refusal({ 'actions.close[0].name': 'can not be empty', raw: 'x' }))).toEqual({
    'close[0].name': 'can not be empty',
  });
  expect(refusedDraft(new Error('no answer'))).toEqual({});
});
