import { alertIdAt, entityAt, hostAt, tagAt, teamId, userAt } from './search-alerts.ts';
import { wordAt } from './search-words.ts';

/** The limit of the 99th percentile of an answer. `rule`: within 2 s, or a 422 with the reason (A11). */
export type Bar = { readonly ms: number } | 'rule';

/** One kind of question, in several wordings that are asked in turn. */
export interface Question {
  readonly name: string;
  readonly bar: Bar;
  readonly path: '/v2/alerts' | '/v2/alerts/count';
  readonly asked: readonly Readonly<Record<string, string>>[];
  /** As the key of a team asks. */
  readonly teamId?: string;
}

const OPEN = { ms: 20 };
const INDEXED = { ms: 50 };
const WORDS = { ms: 500 };

const [COMMON, USUAL, RARE] = [
  [0, 1, 2],
  [30, 60, 90],
  [3_000, 4_000, 4_900],
].map((all) => all.map(wordAt)) as [string[], string[], string[]];

const list = (name: string, bar: Bar, ...queries: string[]): Question => ({
  name,
  bar,
  path: '/v2/alerts',
  asked: queries.map((query) => ({ query })),
});
const count = (name: string, bar: Bar, ...queries: string[]): Question => ({
  name: `count: ${name}`,
  bar,
  path: '/v2/alerts/count',
  asked: queries.map((query) => ({ query })),
});
const sorted = (sort: string, query: string): Question => ({
  name: `sort by ${sort}${query === '' ? '' : `, ${query}`}`,
  bar: 'rule',
  path: '/v2/alerts',
  asked: (['desc', 'asc'] as const).map((order) => ({ query, sort, order })),
});

const fields = (alerts: number, middle: number): readonly Question[] => [
  list('status:open', OPEN, 'status:open'),
  { ...list('everything', INDEXED), asked: [{}] },
  { ...list('everything, key of a team', INDEXED), asked: [{}], teamId: teamId(3) },
  list('status', INDEXED, 'status:closed'),
  list('priority', INDEXED, 'priority:P1', 'priority:P5'),
  list('tag', INDEXED, ...[0, 9, 77, 499].map((index) => `tag:${tagAt(index)}`)),
  list('tag prefix', INDEXED, 'tag:tag-4*'),
  list('owner', INDEXED, ...[0, 20, 49].map((index) => `owner:"${userAt(index)}"`)),
  list('teams', INDEXED, ...[0, 7].map((index) => `teams:${teamId(index)}`)),
  list('responders', INDEXED, ...[1, 19].map((index) => `responders:${teamId(index)}`)),
  list('entity', INDEXED, ...[0, 199].map((index) => `entity:${entityAt(index)}`)),
  list('a detail', INDEXED, ...[0, 999].map((index) => `details.host:${hostAt(index)}`)),
  list('details.key', INDEXED, 'details.key:region'),
  list('alias', WORDS, `alias:check-${middle % 7_919}-${middle}`),
  list('source', WORDS, 'source:monitor-4'),
  list('alertId', INDEXED, `alertId:${alertIdAt(middle)}`),
  list('tinyId', INDEXED, `tinyId:${middle}`, `tinyId>${alerts - 50}`),
  list('createdAt', INDEXED, 'createdAt>15-06-2025', 'createdAt<15-06-2025'),
];

const words: readonly Question[] = [
  list('a common word', WORDS, ...COMMON),
  list('a rare word', WORDS, ...RARE),
  list('a word that is nowhere', WORDS, 'xylophone'),
  list(
    'a word of every alert',
    WORDS,
    ...['example', 'status:open AND example', `example AND tag:${tagAt(450)}`, `example AND ${RARE[0]}`],
  ),
  list('two words', WORDS, `${COMMON[0]} ${RARE[0]}`, `${COMMON[0]} ${COMMON[1]}`, `${USUAL[0]} ${RARE[1]}`),
  list('two rare words', WORDS, `${RARE[0]} ${RARE[1]}`, `${USUAL[2]} ${RARE[2]}`),
  list('words in a row', WORDS, `"${COMMON[0]} ${COMMON[1]}"`, `"${USUAL[0]} ${COMMON[1]}"`),
  list('how a word begins', WORDS, `${COMMON[0]}*`, `${RARE[0]?.slice(0, 4)}*`),
  list('message', WORDS, `message:${USUAL[0]}`, `message:"${COMMON[0]} ${COMMON[2]}"`),
  list('description', WORDS, `description:${RARE[2]}`, `description:${COMMON[1]}`),
  list('either of two words', WORDS, `${COMMON[0]} OR ${RARE[0]}`, `${RARE[1]} OR ${RARE[2]}`),
  list('without a word', WORDS, `NOT ${COMMON[0]}`, `status:open AND NOT ${USUAL[0]}`),
];

const together: readonly Question[] = [
  list('open, a priority', INDEXED, 'status:open AND priority:P1'),
  list('open, a tag', INDEXED, `status:open AND tag:${tagAt(3)}`, `status:open AND tag:${tagAt(450)}`),
  list('open, not acknowledged', INDEXED, 'status:open AND acknowledged:false'),
  list('open, a word', WORDS, `status:open AND ${COMMON[0]}`, `status:open AND ${RARE[0]}`),
  list('a team, a tag', INDEXED, `teams:${teamId(2)} AND tag:${tagAt(20)}`),
  list(
    'a team, an owner, either first',
    INDEXED,
    `teams:${teamId(2)} AND owner:"${userAt(4)}"`,
    `owner:"${userAt(5)}" AND teams:${teamId(3)}`,
  ),
  list('open, a priority, an owner', INDEXED, `status:open AND priority:P1 AND owner:"${userAt(4)}"`),
  list(
    'hardly any have both',
    'rule',
    `tag:${tagAt(450)} AND entity:${entityAt(3)}`,
    `entity:${entityAt(4)} AND tag:${tagAt(460)}`,
  ),
  list('either of two tags', INDEXED, `tag:(${tagAt(5)} OR ${tagAt(300)})`),
  list('a span of time, a priority', INDEXED, 'createdAt>=01-06-2025 AND createdAt<01-07-2025 AND priority:P2'),
  list('count, an integration', 'rule', 'count>40', 'integration.type:Email', 'closedBy:unknown'),
  {
    ...list('the 900th page', 'rule'),
    asked: ['status:open', 'tag:tag-0'].map((query) => ({ query, offset: '18000' })),
  },
];

const counts: readonly Question[] = [
  { ...count('everything', INDEXED), asked: [{}] },
  { ...count('key of a team', 'rule'), asked: [{}], teamId: teamId(3) },
  count('open', INDEXED, 'status:open'),
  count('closed', 'rule', 'status:closed'),
  count('a tag', 'rule', `tag:${tagAt(0)}`, `tag:${tagAt(400)}`),
  count('a common word', 'rule', COMMON[0] ?? ''),
  count('two common words', 'rule', `${COMMON[0]} ${COMMON[1]}`),
  count('a field without an index', 'rule', 'count>40'),
];

/** Everything that the bench asks of `alerts` alerts, sorted by each of `sortFields`. */
export function questions(alerts: number, sortFields: readonly string[]): readonly Question[] {
  const sorts = ['status:open', ''].flatMap((query) => sortFields.map((field) => sorted(field, query)));
  return [...fields(alerts, Math.floor(alerts / 2)), ...words, ...together, ...sorts, ...counts];
}
