import fc from 'fast-check';
import type { Alert } from '../alerts/alert.ts';

const AT = Date.parse('2026-01-05T08:00:00.000Z');
const texts = fc.constantFrom(
  '',
  'Disk full',
  'disk FULL on db-1',
  'full disk',
  'CPU hot',
  'a.b*c (x)',
  'Ärger im Büro',
);
/** Longer than the part of a value that the index keeps. */
const LONG = 'l'.repeat(120);
const names = fc.constantFrom('', 'ada', 'Ada', 'bob', 'db-1', 'db', `${LONG}a`, `${LONG}b`);
const instants = fc.integer({ min: 0, max: 4 }).map((step) => new Date(AT + step * 1_000));
const lists = fc.uniqueArray(fc.constantFrom('db', 'Disk full', 'web', 'x'), { maxLength: 3 });
const responders = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom('team' as const, 'user' as const),
    id: fc.constantFrom('ops', 'red', 'ada'),
  }),
  { maxLength: 2, selector: ({ id }) => id },
);

/** Alerts with few different values, so that searches find some. */
export const anyAlert: fc.Arbitrary<Alert> = fc.record({
  id: fc.uuid(),
  tinyId: fc.integer({ min: 1, max: 2 ** 40 }),
  alias: names,
  status: fc.constantFrom('open' as const, 'closed' as const),
  acknowledged: fc.boolean(),
  seen: fc.boolean(),
  snoozed: fc.boolean(),
  snoozedUntil: fc.option(instants, { nil: undefined }),
  count: fc.integer({ min: 1, max: 4 }),
  message: texts,
  description: texts,
  source: names,
  entity: names,
  owner: names,
  priority: fc.constantFrom('P1' as const, 'P2' as const, 'P3' as const),
  tags: lists,
  actions: lists,
  details: fc.dictionary(fc.constantFrom('host', 'a.b', 'key', '$x'), names, { maxKeys: 3 }),
  responders,
  visibleTo: fc.constant([]),
  unresolved: fc.constant(undefined),
  ownerTeamId: fc.constant(undefined),
  integration: fc.record({ id: fc.constant('i'), name: names, type: fc.constantFrom('API', 'Email') }),
  report: fc.option(fc.record({ acknowledgedBy: names, closedBy: names }, { requiredKeys: [] }), { nil: undefined }),
  createdAt: instants,
  updatedAt: instants,
  lastOccurredAt: instants,
  flowStartedAt: instants,
  flow: fc.constant({ responders: 0 }),
  cycle: fc.constant(1),
  version: fc.constant(1),
  lastPosition: fc.constant(undefined),
  notifications: fc.constant({ kind: 'active' as const }),
  hold: fc.constant(undefined),
  autoClose: fc.constant(undefined),
  autoRestart: fc.constant(undefined),
});

const word = fc.constantFrom(
  'disk',
  'FULL',
  'dis*',
  '"disk full"',
  '"full on"*',
  'db-1',
  'büro',
  'ADA',
  'null',
  `${LONG}a`,
);
const value = fc.constantFrom(
  'ada',
  'db',
  'db*',
  '"Disk full"',
  '"a.b"',
  '"Disk"*',
  'null',
  'P1',
  'API',
  '""',
  `${LONG}a`,
);
const whole = fc.constantFrom(`${LONG}b`, 'ada', 'bob', 'Ops', 'ops', 'null');
const time = fc.constantFrom(String(AT), String(AT + 2_000), '05-01-2026', '"05-01-2026 08:00"', '05-01-2026T08:00:01');
const sign = fc.constantFrom(':', '<', '<=', '>', '>=', '!:');
const pair = (field: string, by: string, wanted: string): string => `${field}${by}${wanted}`;

const term = fc.oneof(
  word,
  fc
    .tuple(
      fc.constantFrom('source', 'entity', 'tag', 'actions', 'details.key', 'details.value', 'details.host'),
      ...[fc.constantFrom(':', '!:', '=')],
      value,
    )
    .map(([field, by, wanted]) => pair(field, by, wanted)),
  fc
    .tuple(fc.constantFrom('owner', 'acknowledgedBy', 'closedBy', 'teams', 'responders'), whole)
    .map(([field, wanted]) => pair(field, ':', wanted)),
  fc.tuple(fc.constantFrom('createdAt', 'lastOccurredAt', 'snoozedUntil'), sign, time).map((parts) => pair(...parts)),
  fc.tuple(fc.constantFrom('count', 'tinyId'), sign, fc.constantFrom('1', '2', '3')).map((parts) => pair(...parts)),
  fc.constantFrom(
    'alias:db*',
    'alias:ada',
    'message:disk',
    'message:"full disk"',
    'description:bür*',
    'integration.name:db',
    'priority:(p1 OR P2)',
  ),
  fc.constantFrom(
    'status:open',
    'isSeen:true',
    'acknowledged:false',
    'snoozed:true',
    'details."a.b" is null',
    'teams is null',
  ),
  fc.constantFrom('integration.type is not null', 'responders is null', 'entity is not null', 'details.key is null'),
);

/** Valid searches, up to a few terms deep. */
export const anySearch: fc.Arbitrary<string> = fc.letrec<{ search: string }>((tie) => ({
  search: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: term, weight: 3 },
    { arbitrary: tie('search').map((part) => `NOT (${part})`), weight: 1 },
    {
      arbitrary: fc
        .tuple(tie('search'), fc.constantFrom(' ', ' AND ', ' OR '), tie('search'))
        .map(([a, by, b]) => `(${a})${by}(${b})`),
      weight: 2,
    },
  ),
})).search;
