import { describe, expect, it } from '@jest/globals';
import { CreateHeartbeatBody, UpdateHeartbeatBody } from './heartbeats.ts';

const least = { name: 'backup', interval: 10, intervalUnit: 'minutes' };
const BELL = '🔔';

const fieldsOf = (schema: typeof CreateHeartbeatBody | typeof UpdateHeartbeatBody, body: unknown) => {
  const { error } = schema.safeParse(body);
  return error?.issues.map(({ path }) => path.join('.'));
};

describe.each([
  ['CreateHeartbeatBody', CreateHeartbeatBody, least],
  ['UpdateHeartbeatBody', UpdateHeartbeatBody, {}],
] as const)('%s', (_, schema, rest) => {
  it.each([
    ['name', BELL.repeat(200), `${BELL.repeat(200)}x`],
    ['description', BELL.repeat(10_000), `${BELL.repeat(10_000)}x`],
    ['alertMessage', BELL.repeat(130), `${BELL.repeat(130)}x`],
    ['interval', 100_000, 100_001],
    ['interval', 1, 0],
    ['alertTags', Array.from({ length: 20 }, () => 'x'), Array.from({ length: 21 }, () => 'x')],
  ])('takes %s at its limit and refuses it beyond', (field, atLimit, beyond) => {
    expect(schema.parse({ ...rest, [field]: atLimit })).toMatchObject({ [field]: atLimit });
    expect(fieldsOf(schema, { ...rest, [field]: beyond })).toEqual([field]);
  });

  it.each([
    ['interval', 1.5],
    ['interval', '5.5'],
    ['intervalUnit', 'weeks'],
    ['intervalUnit', ''],
    ['enabled', 'yes'],
    ['ownerTeam', 'Ops'],
    ['alertPriority', 'P6'],
    ['alertTags', { a: 'b' }],
  ])('refuses a wrong %s: %j', (field, wrong) => {
    expect(fieldsOf(schema, { ...rest, [field]: wrong })).toEqual([field]);
  });

  it('refuses a tag of more than 50 characters and says which', () => {
    expect(schema.parse({ ...rest, alertTags: [BELL.repeat(50)] }).alertTags).toEqual([BELL.repeat(50)]);
    expect(fieldsOf(schema, { ...rest, alertTags: ['a', 'x'.repeat(51)] })).toEqual(['alertTags.1']);
  });

  it('takes tags as one text with commas, and words in any letter case', () => {
    const body = { ...rest, alertTags: 'db, disk ,', intervalUnit: 'HOURS', alertPriority: 'p1', enabled: 'TRUE' };
    expect(schema.parse(body)).toMatchObject({
      alertTags: ['db', 'disk'],
      intervalUnit: 'hours',
      alertPriority: 'P1',
      enabled: true,
    });
  });

  it('takes null, and for what is text an empty one, as absent', () => {
    const absent = { description: null, enabled: null, ownerTeam: null, alertMessage: '', alertPriority: '' };
    const parsed = schema.parse({ ...rest, ...absent, alertTags: null });
    expect(Object.entries(parsed).filter(([field, value]) => !(field in rest) && value !== undefined)).toEqual([]);
  });

  it.each([{}, { id: '', name: '' }, { id: null }])(
    'takes the owner team %j, which the Go SDK sends, as absent',
    (none) => {
      expect(schema.parse({ ...rest, ownerTeam: none }).ownerTeam).toBeUndefined();
    },
  );
});

describe('CreateHeartbeatBody', () => {
  it.each(['name', 'interval', 'intervalUnit'])('needs %s', (field) => {
    expect(fieldsOf(CreateHeartbeatBody, { ...least, [field]: undefined })).toEqual([field]);
    expect(fieldsOf(CreateHeartbeatBody, { ...least, [field]: null })).toEqual([field]);
  });

  it('refuses a name of white space alone', () => {
    expect(fieldsOf(CreateHeartbeatBody, { ...least, name: ' ' })).toEqual(['name']);
  });
});

describe('UpdateHeartbeatBody', () => {
  it('needs nothing, and an empty name is none (E12)', () => {
    expect(UpdateHeartbeatBody.parse({ name: '' })).toEqual({});
  });
});
