import { describe, expect, it } from '@jest/globals';
import { MAINTENANCE_TYPES, MaintenanceBody, MaintenanceEndDateBody, MaintenanceListQuery } from './maintenance.ts';

const START = '2026-03-02T08:00:00Z';
const END = '2026-03-02T09:00:00Z';
const schedule = { type: 'schedule', startDate: START, endDate: END };
const rule = (type: string, state?: unknown, id: unknown = 'x') => ({ entity: { type, id }, state });
const body = (more: object = {}) => ({ time: { type: 'for-1-hour' }, rules: [rule('integration')], ...more });
const problems = (sent: unknown) =>
  MaintenanceBody.safeParse(sent).error?.issues.map(({ path, message }) => [path.join('.'), message]);

const NO_DATE = 'should be a date such as 2026-01-31T08:00:00Z';
const NO_TYPE = `should be one of [ ${MAINTENANCE_TYPES.join(', ')} ]`;
const NO_STATE = 'should be one of [ enabled, disabled ]';

describe('the body of a maintenance window', () => {
  it('needs no more than a time and a rule, and an integration is disabled unless said', () => {
    const rules = [{ entity: { type: 'integration', id: 'x' }, state: 'disabled' }];
    const read = { description: '', time: { type: 'for-1-hour' }, rules };
    expect(MaintenanceBody.parse(body())).toEqual(read);
    expect(MaintenanceBody.parse(body({ description: null, unknown: 1, Id: 'x' }))).toEqual(read);
    for (const state of [null, '', 'Disabled'])
      expect(MaintenanceBody.parse(body({ rules: [rule('INTEGRATION', state)] }))).toEqual(read);
  });

  it.each(MAINTENANCE_TYPES.filter((type) => type !== 'schedule'))('reads no date beside %s', (type) => {
    for (const date of ['', null, undefined, START, 'no date', 5])
      expect(MaintenanceBody.parse(body({ time: { type, startDate: date, endDate: date } }))).toMatchObject({
        time: { type },
      });
    expect(Object.keys(MaintenanceBody.parse(body({ time: { ...schedule, type } })).time)).toEqual(['type']);
  });

  it('reads both dates of a schedule, to the millisecond and with any offset', () => {
    const time = { type: 'SCHEDULE', startDate: '2019-06-20T17:45:00.1239+02:00', endDate: '2027-06-20T17:45:00Z' };
    expect(MaintenanceBody.parse(body({ time })).time).toEqual({
      type: 'schedule',
      startDate: new Date('2019-06-20T15:45:00.123Z'),
      endDate: new Date('2027-06-20T17:45:00.000Z'),
    });
  });

  it.each([
    [{ startDate: null }, 'time.startDate', NO_DATE],
    [{ startDate: '' }, 'time.startDate', NO_DATE],
    [{ startDate: '1899-12-31T23:59:59Z' }, 'time.startDate', 'should be a date of the years 1900 to 9998'],
    [{ endDate: 5 }, 'time.endDate', NO_DATE],
    [{ endDate: null }, 'time.endDate', NO_DATE],
    [{ endDate: 'tomorrow' }, 'time.endDate', NO_DATE],
    [{ endDate: START }, 'time.endDate', 'should be after startDate'],
    [{ endDate: '2026-03-02T07:59:59.999Z' }, 'time.endDate', 'should be after startDate'],
    [{ type: 'for-2-hours' }, 'time.type', NO_TYPE],
    [{ type: null }, 'time.type', NO_TYPE],
    [{ type: '' }, 'time.type', NO_TYPE],
  ])('refuses a schedule with %j', (wrong, field, message) => {
    expect(problems(body({ time: { ...schedule, ...wrong } }))).toEqual([[field, message]]);
  });

  it('takes a schedule of one millisecond', () => {
    const time = { ...schedule, endDate: '2026-03-02T08:00:00.001Z' };
    expect(problems(body({ time }))).toBeUndefined();
  });

  it.each([
    [rule('integration', 'enabled'), 'rules.0.state', 'should be disabled for an integration'],
    [rule('integration', 'off'), 'rules.0.state', NO_STATE],
    [rule('policy', null), 'rules.0.state', NO_STATE],
    [rule('policy', ''), 'rules.0.state', NO_STATE],
    [rule('policy', 'off'), 'rules.0.state', NO_STATE],
    [rule('schedule', 'disabled'), 'rules.0.entity.type', 'should be one of [ integration, policy ]'],
    [rule('policy', 'disabled', ''), 'rules.0.entity.id', 'Entity id can not be empty.'],
    [rule('policy', 'disabled', 7), 'rules.0.entity.id', 'Entity id can not be empty.'],
    [{ state: 'disabled' }, 'rules.0.entity', 'should be an object with type and id'],
    ['policy', 'rules.0', 'should be an object with entity and state'],
  ])('refuses the rule %j', (wrong, field, message) => {
    expect(problems(body({ rules: [wrong] }))).toEqual([[field, message]]);
  });

  it.each(['enabled', 'disabled'])('takes a policy to be %s', (state) => {
    expect(MaintenanceBody.parse(body({ rules: [rule('Policy', state)] })).rules).toEqual([rule('policy', state)]);
  });

  it('takes 1 to 1000 rules and a description of 1000 characters', () => {
    const many = (count: number) => body({ rules: Array.from({ length: count }, () => rule('integration')) });
    expect(problems(many(1_000))).toBeUndefined();
    expect(problems(many(1_001))).toEqual([['rules', 'should have at most 1000 items']]);
    expect(problems(many(0))).toEqual([['rules', 'Rules can not be empty.']]);
    expect(problems(body({ rules: null }))?.map(([field]) => field)).toEqual(['rules']);
    expect(problems(body({ description: '😀'.repeat(1_000) }))).toBeUndefined();
    expect(problems(body({ description: 'd'.repeat(1_001) }))).toEqual([
      ['description', 'should be at most 1000 characters'],
    ]);
    expect(problems(body({ rules: [rule('integration', '', 'x'.repeat(1_000))] }))).toBeUndefined();
    expect(problems(body({ rules: [rule('integration', '', 'x'.repeat(1_001))] }))).toEqual([
      ['rules.0.entity.id', 'should be at most 1000 characters'],
    ]);
    expect(problems(body({ time: null }))).toEqual([['time', 'should be an object with type']]);
  });
});

describe('the body that moves the end of a window', () => {
  it('is a date and nothing else', () => {
    expect(MaintenanceEndDateBody.parse({ endDate: END, Id: 'x' })).toEqual({ endDate: new Date(END) });
    for (const endDate of [undefined, null, '', 'later', '9999-01-01T00:00:00Z'])
      expect(MaintenanceEndDateBody.safeParse({ endDate }).error?.issues[0]?.path).toEqual(['endDate']);
  });
});

describe('the query of the list of windows', () => {
  it('takes its type without regard to case, and refuses another', () => {
    for (const type of ['all', 'non-expired', 'past'])
      expect(MaintenanceListQuery.parse({ type: type.toUpperCase() })).toEqual({ type });
    expect(MaintenanceListQuery.parse({ type: '' })).toEqual({});
    expect(MaintenanceListQuery.safeParse({ type: 'active' }).error?.issues[0]?.path).toEqual(['type']);
  });
});
