import fc from 'fast-check';
import { mongo } from 'mongoose';
import type { Document } from './values.ts';

/** The collections of the programs. */
export const THINGS = 'things';
export const OTHERS = 'others';

/** An operation of the driver on one of the collections. */
export interface Operation {
  readonly collection: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly options?: Document;
  /** Whether it writes at most one document, which its `_id` names. Only such a write may have to wait for a transaction. */
  readonly kind: 'read' | 'write' | 'writes';
}

/** One step: a client does an operation, which begins its transaction, or ends that. Client 0 has no transactions. */
export type Step =
  | { readonly client: number; readonly action: 'commit' | 'abort' }
  | { readonly client: number; readonly action: 'operation'; readonly operation: Operation };

export const CLIENTS = 4;

const IDS = ['a', 'b', 'c', 'd'];
const PAST = new Date('2020-02-02T00:00:00Z');
const FUTURE = new Date('2099-09-09T00:00:00Z');

const id = fc.constantFrom(...IDS);
const collection = fc.constantFrom(THINGS, THINGS, THINGS, OTHERS);
const number = fc.constantFrom(0, 1, 2, 3, 2.5, -1);
const date = fc.constantFrom(PAST, new Date('2030-01-01T00:00:00Z'), FUTURE);
const text = fc.constantFrom('x', 'y', 'z', 'x:1', 'Ü');
const scalar = fc.oneof(number, date, text, fc.constant(null), fc.boolean());
const tags = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 });
const item = fc.record({ attempt: id, n: number }, { requiredKeys: ['attempt'] });
const nested = fc.record(
  { x: scalar, holder: id, gaps: fc.array(fc.tuple(number, number), { maxLength: 2 }) },
  { requiredKeys: [] },
);

const fields = fc.record(
  {
    name: text,
    alias: text,
    status: fc.constantFrom('open', 'closed'),
    n: fc.oneof(number, fc.constant(null)),
    at: fc.oneof(date, fc.constant(null)),
    any: scalar,
    tags,
    recent: fc.array(item, { maxLength: 2 }),
    nested,
  },
  { requiredKeys: ['status'] },
);

/** Names differ mostly, so that not every insert is refused. */
const document = fc.tuple(id, fields, fc.boolean()).map(([_id, { name, ...rest }, isNamedById]): Document => ({
  _id,
  name: isNamedById || name === undefined ? _id : name,
  ...rest,
}));

const path = fc.constantFrom(
  'name',
  'alias',
  'status',
  'n',
  'at',
  'any',
  'tags',
  'nested.x',
  'nested.holder',
  'recent.attempt',
  'recent.n',
);
const comparison = fc.oneof(
  scalar,
  fc.constantFrom<Document>(
    { $exists: true },
    { $exists: false },
    { $type: 'string' },
    { $regex: '^(x|y)' },
    { $not: /^x/u },
  ),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$ne', '$eq'), scalar)
    .map(([operator, value]) => ({ [operator]: value })),
  fc
    .tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 3 }))
    .map(([operator, values]) => ({ [operator]: values })),
  fc.tuple(number, number).map(([from, to]) => ({ $gte: from, $lt: to })),
  date.map((than) => ({ $not: { $gt: than } })),
);
const ofPath = fc.tuple(path, comparison).map(([name, value]): Document => ({ [name]: value }));
const expression = fc.constantFrom<Document>(
  { at: { $gt: new Date(0) }, $expr: { $lte: ['$at', '$$NOW'] } },
  { $expr: { $ne: ['$_id', '$nested.holder'] } },
  { $expr: { $gt: ['$n', '$nested.x'] } },
);
const filter: fc.Arbitrary<Document> = fc.oneof(
  fc.constant({}),
  ofPath,
  expression,
  fc.array(id, { maxLength: 3 }).map((ids) => ({ _id: { $in: ids } })),
  fc.tuple(ofPath, ofPath).map(([one, other]) => ({ $or: [one, other] })),
  fc.tuple(ofPath, ofPath).map(([one, other]) => ({ $and: [one, other] })),
  fc.tuple(ofPath, fc.array(id, { maxLength: 3 })).map(([one, ids]) => ({ ...one, _id: { $nin: ids } })),
);
/** A filter that names one document, with a further condition or none. */
const one = fc.tuple(id, fc.option(ofPath, { nil: {} })).map(([_id, more]): Document => ({ _id, ...more }));

const literal = (value: unknown): Document => ({ $literal: value });
/** The updates with expressions that the services use, with other values. */
const pipelineUpdate = fc.oneof(
  fc.tuple(id, number, fc.boolean()).map(([holder, rank, onlyIfFree]) => {
    const outranked = onlyIfFree ? [] : [{ $lt: ['$lease.rank', rank] }];
    const hasEnded = [{ $lte: ['$lease.until', '$$NOW'] }, { $gt: ['$lease.until', { $add: ['$$NOW', 120_000] }] }];
    const canTake = { $or: [{ $eq: ['$lease.holder', literal(holder)] }, ...outranked, { $or: hasEnded }] };
    const entry = { holder: literal(holder), rank: literal(rank), until: { $add: ['$$NOW', 60_000] } };
    return [{ $set: { lease: { $cond: [canTake, entry, '$lease'] } } }];
  }),
  id.map((holder) => {
    const isOwn = { $eq: ['$lease.holder', literal(holder)] };
    return [{ $set: { lease: { $cond: [isOwn, '$$REMOVE', '$lease'] } } }];
  }),
  date.map((at) => [
    {
      $set: {
        at: { $max: ['$at', at] },
        until: { $add: [at, 5_000] },
        revision: { $add: [{ $ifNull: ['$revision', 0] }, 1] },
      },
    },
  ]),
  date.map((at) => [{ $set: { at: { $cond: [{ $gt: ['$held', at] }, '$at', { $min: ['$at', at] }] } } }]),
  item.map((message) => [
    {
      $set: {
        recent: { $slice: [{ $concatArrays: [{ $ifNull: ['$recent', []] }, [literal(message)]] }, -2] },
        held: null,
      },
    },
  ]),
  fc.tuple(number, number).map(([first, last]) => {
    const before = { $ifNull: ['$received.i1.through', 0] };
    const between = { $cond: [{ $gt: [first, before] }, [[{ $add: [before, 1] }, first]], []] };
    const known = literal([[first, last]]);
    const beyond = { $filter: { input: known, cond: { $gt: [{ $last: '$$this' }, before] } } };
    const within = { $map: { input: beyond, in: [{ $max: [{ $first: '$$this' }, before] }, { $last: '$$this' }] } };
    const gaps = { $concatArrays: [{ $ifNull: ['$received.i1.gaps', []] }, between, within] };
    return [
      {
        $set: { n: literal(last), 'received.i1': { through: { $max: [before, last] }, gaps: { $slice: [gaps, -3] } } },
      },
    ];
  }),
  scalar.map((value) => [
    { $replaceWith: { $mergeObjects: [literal({ status: 'closed', any: value }), { _id: '$_id', readAt: '$$NOW' }] } },
  ]),
  fc.constant([{ $replaceWith: { _id: '$_id', nested: '$nested', status: '$status', endedAt: '$$NOW' } }]),
  fc.constant([{ $unset: ['nested', 'tags'] }]),
);
const operators = fc
  .record(
    {
      $set: fc.oneof(
        fields,
        fc
          .tuple(fc.constantFrom('any', 'n', 'nested.x', 'nested.holder'), scalar)
          .map(([name, value]) => ({ [name]: value })),
      ),
      $unset: fc.constantFrom({ alias: true }, { 'nested.gaps': true }, { revision: 1 }),
      $inc: fc.constantFrom({ count: 1 }, { lines: 2, revision: -1 }),
      $max: date.map((changedAt) => ({ changedAt })),
      $addToSet: fc.oneof(
        text.map((kind) => ({ kinds: kind })),
        item.map((reply) => ({ replies: reply })),
      ),
      $pull: fc.oneof(
        text.map((line) => ({ lines2: line })),
        fc.array(id, { maxLength: 2 }).map((ids) => ({ posts: { attempt: { $in: ids } } })),
      ),
      $setOnInsert: number.map((made) => ({ made })),
    },
    { requiredKeys: [] },
  )
  .map((update): Document => {
    const kept = Object.fromEntries(Object.entries(update).filter(([, change]) => Object.keys(change).length > 0));
    return Object.keys(kept).length === 0 ? { $inc: { count: 1 } } : withoutOverlap(kept);
  });
/** Changes of lists, of documents that have them. */
const listUpdate = fc.oneof(
  fc.array(id, { maxLength: 2 }).map((ids): Document => ({ $pull: { recent: { attempt: { $in: ids } } } })),
  item.map((reply): Document => ({ $addToSet: { recent: reply } })),
  fc.constantFrom<Document>(
    { $pull: { tags: 'x' } },
    { $addToSet: { tags: 'y' } },
    { $inc: { n: 1 } },
    { $max: { at: PAST } },
  ),
);
const update = fc.oneof(operators, operators, pipelineUpdate, listUpdate);

/** Two operators on the same path are refused by the parser of the server, which is not built. */
function withoutOverlap(update: Document): Document {
  const paths = new Set<string>();
  const entries = Object.entries(update as Record<string, Document>).map(([operator, change]) => {
    const own = Object.entries(change).filter(([name]) => !overlaps(name, paths));
    for (const [name] of own) paths.add(name);
    return [operator, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(entries.filter(([, change]) => Object.keys(change).length > 0));
}

const overlaps = (name: string, paths: ReadonlySet<string>): boolean =>
  [...paths].some((other) => other === name || other.startsWith(`${name}.`) || name.startsWith(`${other}.`));

const upsert = fc.constantFrom({ upsert: true }, {});
const projection = fc.constantFrom<Document>(
  ...[
    {},
    { _id: 1 },
    { name: 1, n: 1 },
    { recent: 0 },
    { 'nested.x': 1 },
    { 'recent.n': 1, status: 1 },
    { nested: 0, tags: 0 },
  ],
  { status: 1, age: { $max: [0, { $subtract: ['$n', 1] }] }, isLater: { $gt: ['$at', '$$NOW'] } },
);
const sort = fc
  .tuple(fc.constantFrom('name', 'n', 'at', 'any', 'tags', 'nested.x'), fc.constantFrom(1, -1))
  .map(([name, direction]): Document => ({ [name]: direction, _id: 1 }));
const page = fc.record({ sort, limit: fc.integer({ min: 1, max: 3 }), skip: fc.integer({ min: 0, max: 2 }) });
const concern = fc.constantFrom({ readConcern: { level: 'majority' } }, { readConcern: { level: 'snapshot' } }, {});

const pipeline = fc.oneof(
  filter.map((each) => [
    { $match: each },
    { $group: { _id: '$status', rows: { $sum: 1 }, last: { $max: '$n' }, first: { $min: '$at' } } },
    { $sort: { _id: 1 } },
  ]),
  fc.constant([{ $group: { _id: null, n: { $sum: '$n' } } }]),
  fc.constant([
    { $sort: { status: 1, _id: 1 } },
    { $group: { _id: '$status', first: { $first: '$n' } } },
    { $sort: { _id: 1 } },
  ]),
  fc.constant([
    { $group: { _id: { $arrayElemAt: [{ $split: ['$name', ':'] }, 0] }, rows: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ]),
  fc.constant([{ $group: { _id: { status: '$status', n: '$n' }, rows: { $sum: 1 } } }, { $sort: { _id: 1 } }]),
  fc.constant([
    {
      $lookup: {
        from: OTHERS,
        localField: '_id',
        foreignField: 'name',
        pipeline: [{ $sort: { _id: 1 } }, { $project: { n: 1 } }],
        as: 'due',
      },
    },
    { $project: { status: 1, due: 1 } },
    { $sort: { _id: 1 } },
  ]),
  filter.map((each) => [{ $match: each }, { $set: { readAt: '$$NOW' } }, { $sort: { _id: -1 } }, { $limit: 2 }]),
);

const bulkPart = fc.oneof(
  fc.record({ updateOne: fc.record({ filter: one, update, upsert: fc.boolean() }) }),
  document.map((inserted) => ({ insertOne: { document: inserted } })),
  fc.record({ deleteOne: fc.record({ filter: one }) }),
  fc.record({ deleteMany: fc.record({ filter }) }),
  fc.record({
    replaceOne: fc.record({
      filter: id.map((_id) => ({ _id })),
      replacement: document.map(({ _id, ...rest }) => rest),
      upsert: fc.boolean(),
    }),
  }),
);

type Parts = Omit<Operation, 'collection'>;
const read = (method: string, args: readonly unknown[], options?: Document): Parts => ({
  kind: 'read',
  method,
  args,
  ...(options && { options }),
});

const anyOperation: fc.Arbitrary<Parts> = fc.oneof(
  { arbitrary: document.map((made): Parts => ({ kind: 'write', method: 'insertOne', args: [made] })), weight: 4 },
  {
    arbitrary: fc
      .tuple(one, update, upsert)
      .map(([by, change, options]): Parts => ({ kind: 'write', method: 'updateOne', args: [by, change], options })),
    weight: 5,
  },
  {
    arbitrary: fc
      .tuple(one, update, upsert, fc.constantFrom('before', 'after'), projection)
      .map(([by, change, options, returnDocument, shown]): Parts => ({
        kind: 'write',
        method: 'findOneAndUpdate',
        args: [by, change],
        options: { ...options, returnDocument, projection: shown },
      })),
    weight: 3,
  },
  {
    arbitrary: fc.tuple(id, document, upsert).map(([_id, { _id: other, ...rest }, options]): Parts => ({
      kind: 'write',
      method: 'replaceOne',
      args: [{ _id }, rest],
      options,
    })),
    weight: 2,
  },
  { arbitrary: one.map((by): Parts => ({ kind: 'write', method: 'deleteOne', args: [by] })), weight: 2 },
  {
    arbitrary: fc
      .tuple(filter, update)
      .map(([by, change]): Parts => ({ kind: 'writes', method: 'updateMany', args: [by, change] })),
    weight: 2,
  },
  { arbitrary: filter.map((by): Parts => ({ kind: 'writes', method: 'deleteMany', args: [by] })), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.array(document, { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([made, ordered]): Parts => ({ kind: 'writes', method: 'insertMany', args: [made], options: { ordered } })),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(fc.array(bulkPart, { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([parts, ordered]): Parts => ({ kind: 'writes', method: 'bulkWrite', args: [parts], options: { ordered } })),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(filter, projection, concern)
      .map(([by, shown, options]) => read('find', [by], { projection: shown, ...options })),
    weight: 5,
  },
  {
    arbitrary: fc
      .tuple(filter, projection, page)
      .map(([by, shown, options]) => read('find', [by], { projection: shown, ...options })),
    weight: 3,
  },
  { arbitrary: one.map((by) => read('findOne', [by])), weight: 1 },
  { arbitrary: filter.map((by) => read('countDocuments', [by])), weight: 1 },
  { arbitrary: pipeline.map((stages) => read('aggregate', [stages])), weight: 2 },
);

/** An insert of a row that the server numbers, and the rows in their order. */
const row: fc.Arbitrary<Parts> = fc.oneof(
  fc.constant(0).map((): Parts => ({
    kind: 'writes',
    method: 'insertMany',
    args: [[{ seq: new mongo.Timestamp({ t: 0, i: 0 }), topic: 't' }]],
  })),
  fc.constant(read('find', [{ topic: 't' }], { sort: { seq: 1 }, projection: { seq: 1 } })),
);

const operation: fc.Arbitrary<Operation> = fc
  .tuple(collection, anyOperation)
  .map(([name, parts]) => ({ collection: name, ...parts }));
export const ROWS = 'rows';
const rowOperation = row.map((parts): Operation => ({ collection: ROWS, ...parts }));

const client = fc.integer({ min: 0, max: CLIENTS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      client,
      action: fc.constant('operation' as const),
      operation: fc.oneof({ arbitrary: operation, weight: 12 }, { arbitrary: rowOperation, weight: 1 }),
    }),
    weight: 8,
  },
  {
    arbitrary: fc.record({ client, action: fc.constantFrom('commit' as const, 'commit' as const, 'abort' as const) }),
    weight: 3,
  },
);

/** Programs of several clients, whose operations come one after the other. */
export const programs = fc.array(step, { minLength: 8, maxLength: 40, size: 'max' });
