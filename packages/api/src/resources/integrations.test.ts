import { describe, expect, it } from '@jest/globals';
import { CreateIntegrationActionBody, IntegrationActionsBody } from './integration-actions.ts';
import { integrationBody } from './integration-bodies.ts';

const condition = { field: 'message', operation: 'contains', expectedValue: 'x'.repeat(200_000) };
const filter = { type: 'match-any-condition', conditions: [condition] };
const action = { name: 'Open', alias: 'a', filter };
const PLACE = ['conditions', 0, 'expectedValue'];

describe('a filter with too long a value', () => {
  it.each([
    ['an action', CreateIntegrationActionBody, { ...action, type: 'create' }, ['filter']],
    ['one of all actions', IntegrationActionsBody, { create: [action] }, ['create', 0, 'filter']],
    ['an integration', integrationBody([]), { type: 'API', name: 'a', alertFilter: filter }, ['alertFilter']],
  ])('is refused at its place in %s', (_, schema, body, path) => {
    expect(schema.safeParse(body).error?.issues.map((issue) => issue.path)).toEqual([[...path, ...PLACE]]);
  });
});
