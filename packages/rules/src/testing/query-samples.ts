import fc from 'fast-check';
import { wordsOf } from '../alert-query/collect.ts';
import {
  EXACT_FIELDS,
  FLAG_FIELDS,
  NAME_FIELDS,
  NULLABLE_FIELDS,
  NUMBER_FIELDS,
  WORD_FIELDS,
  type Query,
} from '../alert-query/query.ts';

const value = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('null', 'a"b', '\\', 'AND', '10.0.0.7', 'x*'));
const phrase = fc.record({
  words: fc
    .oneof(fc.constantFrom('Disk full', 'ÄÖ', 'db_1'), fc.string({ unit: 'grapheme', maxLength: 8 }))
    .map(wordsOf)
    .filter((words) => words.length > 0),
  prefix: fc.boolean(),
});
const free = EXACT_FIELDS.filter(
  (field) => !['status', 'priority', 'owner', 'acknowledgedBy', 'closedBy'].includes(field),
);

const term: fc.Arbitrary<Query> = fc.oneof(
  phrase.map((text): Query => ({ kind: 'text', ...text })),
  fc.tuple(phrase, fc.constantFrom(...WORD_FIELDS)).map(([text, field]): Query => ({ kind: 'words', field, ...text })),
  fc.record({ kind: fc.constant('exact'), field: fc.constantFrom(...free), value, prefix: fc.boolean() }),
  fc.record({ kind: fc.constant('exact'), field: fc.constant('owner'), value, prefix: fc.constant(false) }),
  fc.record({ kind: fc.constant('detail'), key: value, value, prefix: fc.boolean() }),
  fc.record({ kind: fc.constant('no-detail'), key: value }),
  fc.record({ kind: fc.constant('name'), field: fc.constantFrom(...NAME_FIELDS), value }),
  fc.record({ kind: fc.constant('flag'), field: fc.constantFrom(...FLAG_FIELDS), value: fc.boolean() }),
  fc.record({
    kind: fc.constant('number'),
    field: fc.constantFrom(...NUMBER_FIELDS),
    operator: fc.constantFrom('=', '<', '<=', '>', '>='),
    value: fc.nat(2_000_000_000),
  }),
  fc.record({ kind: fc.constant('null'), field: fc.constantFrom(...NULLABLE_FIELDS) }),
);

/** Any query that can be written, up to a few terms deep. */
export const anyQuery: fc.Arbitrary<Query> = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { arbitrary: term, weight: 3 },
    {
      arbitrary: fc.record({
        kind: fc.constantFrom('and', 'or'),
        parts: fc.array(tie('query'), { minLength: 2, maxLength: 3 }),
      }),
      weight: 2,
    },
    { arbitrary: tie('query').map((part): Query => ({ kind: 'not', part })), weight: 1 },
  ),
})).query;
