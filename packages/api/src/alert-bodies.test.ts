import { describe, expect, it } from '@jest/globals';
import {
  addDetailsBody,
  AddResponderBody,
  addTagsBody,
  AddTeamBody,
  AlertRemovalBody,
  AlertRemovalQuery,
  AssignBody,
  EscalateBody,
  SnoozeBody,
  UpdateDescriptionBody,
  UpdateMessageBody,
  UpdatePriorityBody,
} from './bodies/alert-actions.ts';
import { AlertHistoryQuery, CountAlertsQuery, ListAlertsQuery } from './bodies/alert-reads.ts';
import { AddNoteBody, AlertActionBody, AlertIdentifierQuery, createAlertBody } from './resources/alert-bodies.ts';
import { AttachmentQuery } from './resources/attachments.ts';
import { CreateSavedSearchBody, UpdateSavedSearchBody } from './resources/saved-searches.ts';
import { validator } from './testing/described.ts';
import { describeJsonSchemas, type ReadSchemas } from './testing/json-schemas.ts';

const texts = (count: number, length = 1) => Array.from({ length: count }, () => 'a'.repeat(length));
const users = (count: number) => Array.from({ length: count }, () => ({ type: 'user', username: 'ada@example.com' }));
const alert = (fields: object) => ({ message: 'Disk full', ...fields });
const search = (fields: object) => ({ name: 'Open', query: 'status:open', owner: { id: 'a' }, ...fields });

/** Values that a body or a query takes, and values that it refuses. */
const SCHEMAS: ReadSchemas = {
  'create of an alert': [
    createAlertBody('reject'),
    [
      alert({}),
      alert({ alias: null, tags: null, details: null, priority: null, user: '', note: '', source: '' }),
      alert({ responders: users(50), visibleTo: users(50), teams: [{ name: 'Ops' }] }),
      alert({ actions: texts(10, 50), tags: texts(20, 50), details: { a: 1, b: true, c: null, d: 'e' } }),
      alert({ responders: [{ type: 'schedule', id: 'a' }], visibleTo: [{ type: 'team', name: 'a' }], unknown: 1 }),
      alert({
        responders: [{ type: 'user' }, { type: 'team', name: '' }, null, ''],
        teams: [{ type: 'team', name: '' }, {}],
      }),
      { message: '😀'.repeat(130) },
    ],
    [
      {},
      { message: '😀'.repeat(131) },
      { message: ' ' },
      alert({ alias: 'a'.repeat(513) }),
      alert({ responders: users(51) }),
      alert({ responders: [{ type: 'all' }] }),
      alert({ responders: [{ type: 'user', email: 'ada@example.com' }] }),
      alert({ visibleTo: [{ type: 'schedule', id: 'a' }] }),
      alert({ teams: [{ title: 'Ops' }] }),
      alert({ actions: texts(11) }),
      alert({ tags: texts(21) }),
      alert({ tags: texts(1, 51) }),
      alert({ tags: 'a' }),
      alert({ details: { a: {} } }),
      alert({ priority: 'P6' }),
      alert({ priority: '' }),
      null,
    ],
  ],
  'write to an alert': [AlertActionBody, [{}, { user: 'a'.repeat(100) }], [{ user: 'a'.repeat(101) }, { note: 5 }, []]],
  note: [AddNoteBody, [{ note: 'a' }], [{}, { note: '' }, { note: null }]],
  snooze: [SnoozeBody, [{ endTime: '2026-01-31T08:00:00Z' }], [{}, { endTime: null }, { endTime: 'later' }]],
  escalate: [EscalateBody, [{ escalation: { id: 'a' } }], [{}, { escalation: { id: '' } }, { escalation: null }]],
  assign: [
    AssignBody,
    [{ owner: { id: 'a' } }, { owner: { id: '', username: 'a' } }, { owner: { name: 'a' } }],
    [{}, { owner: {} }, { owner: { id: null, username: '' } }, { owner: 'a' }],
  ],
  responder: [
    AddResponderBody,
    [{ responder: { type: 'user', username: 'a' } }],
    [{}, { responder: { type: 'all' } }, { responder: { type: 'team', username: 'a' } }],
  ],
  team: [AddTeamBody, [{ team: { name: 'a' } }], [{}, { team: {} }]],
  tags: [
    addTagsBody('reject'),
    [{ tags: ['a'] }, { tags: ['', ''] }, { tags: texts(20, 50) }, { tags: 'a, b,c' }, { tags: texts(20, 50).join() }],
    [
      {},
      { tags: null },
      { tags: [] },
      { tags: '' },
      { tags: ' , ' },
      { tags: texts(21) },
      { tags: texts(21).join() },
      { tags: 'a'.repeat(51) },
    ],
  ],
  details: [
    addDetailsBody('reject'),
    [{ details: { a: 'b' } }, { details: { a: 1, b: null } }],
    [{}, { details: {} }, { details: { a: null } }, { details: null }, { details: { a: [] } }, { details: [] }],
  ],
  message: [UpdateMessageBody, [{ message: 'a' }], [{}, { message: ' ' }]],
  description: [UpdateDescriptionBody, [{}, { description: '' }, { description: null }], [{ description: 1 }]],
  priority: [UpdatePriorityBody, [{ priority: 'P1' }], [{}, { priority: null }, { priority: '' }]],
  'body of a removal': [
    AlertRemovalBody,
    [{}, { tags: ['a'], keys: null }, { tags: 'a,b', keys: 'c' }],
    [{ tags: texts(1, 51) }, { tags: 'a'.repeat(51) }, { keys: 1 }],
  ],
  'query of a removal': [AlertRemovalQuery, [{}, { tags: 'a,b', keys: '', user: '' }], [{ tags: 'a'.repeat(51) }]],
  'identifier of an alert': [
    AlertIdentifierQuery,
    [{}, { identifierType: '' }, { identifierType: 'AlertID' }, { identifierType: 'tiny' }],
    [{ identifierType: 'name' }],
  ],
  'identifier of the alert of a file': [
    AttachmentQuery,
    [{}, { alertIdentifierType: '' }, { alertIdentifierType: 'alias' }],
    [{ alertIdentifierType: 'name' }, { identifierType: 'name' }],
  ],
  'count of alerts': [
    CountAlertsQuery,
    [
      {},
      { query: '', searchIdentifier: '', searchIdentifierType: '' },
      { searchIdentifier: 'a', searchIdentifierType: 'name' },
    ],
    [{ searchIdentifier: 'a', searchIdentifierType: 'alias' }],
  ],
  'list of alerts': [
    ListAlertsQuery,
    [{}, { sort: '', order: '' }, { sort: 'report.ackTime', order: 'asc', query: 'a' }, { offset: 19_998, limit: 1 }],
    [{ sort: 'name' }, { order: 'up' }, { offset: 19_999, limit: 1 }, { limit: 0 }, { limit: 101 }],
  ],
  'history of an alert': [
    AlertHistoryQuery,
    [{}, { offset: '', direction: '' }, { offset: '1769825791400_1', direction: 'prev' }],
    [{ direction: 'up' }, { limit: 101 }],
  ],
  'saved search': [
    CreateSavedSearchBody,
    [
      search({}),
      search({ teams: [{ id: 'a' }], description: null }),
      search({ owner: { username: 'a' }, teams: [{}] }),
    ],
    [
      {},
      search({ name: 'a'.repeat(101) }),
      search({ owner: { name: 'a' } }),
      search({ teams: [{ title: 'a' }] }),
      search({ query: '' }),
    ],
  ],
  'changed saved search': [
    UpdateSavedSearchBody,
    [{}, { name: '' }, { name: null, query: null, owner: null, teams: null }, { name: 'a', owner: {} }],
    [{ name: ' ' }, { query: '' }, { owner: { name: 'a' } }],
  ],
};

describeJsonSchemas(SCHEMAS);

describe('the JSON Schema of a query', () => {
  it('takes no offset of a history that was never given', () => {
    expect(validator(AlertHistoryQuery)({ offset: 'yesterday' })).toBe(false);
  });
});
