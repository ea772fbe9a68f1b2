import { type DescribedOperation, PEOPLE, peopleOf, type Resource, RIGHTS } from '@tocsin/api';
import { fieldsByOperation } from './api-fields.ts';
import { code, table } from './markdown.ts';

const HEAD = `# API reference

\`npm run generate\` makes this page of \`packages/api/src/resources/\`: [describe an operation](how-to/describe-an-operation.md) says how to change it. It has the operations and rules of each resource. A code that is cited means its rule here together with what the operations of the resource say. What several resources share is in [behaviour](behaviour.md). \`/openapi.json\` has all fields and answers.

In the tables of operations:

- **right**: which keys may use the operation (K3, below).
- **team keys**: \`refused\` where no team key may use the operation, whatever its rights (K8). Others follow K4 and K9.
- **people**: which people may use the operation (below, K11, K12).
- **rate limit**: the group of operations that share a limit (F6).
- **body**: how long a body may be (E2).
- **refusals**: the statuses that not every operation has (E2).

In the tables of fields, \`?limit\` is in the query, \`tags[]\` is an item of the list \`tags\`. E14 has the limits of fields that are not there.

## Rights

- **K3** An operation asks a key for one right. What changes nothing asks for no write access, whatever its method. A key has read and write access unless its integration says otherwise (\`allowReadAccess\`, \`allowWriteAccess\`), and configuration access where it says so (\`allowConfigurationAccess\`).
`;

/** The page of all resources, formatted as prettier would. */
export function apiReference(resources: readonly Resource[]): string {
  const fields = fieldsByOperation();
  const rights = Object.entries(RIGHTS).map(([right, keys]) => `  - ${code(right)}: ${keys}\n`);
  const people = Object.entries(PEOPLE).map(([group, roles]) => `- ${code(group)}: ${roles}\n`);
  const sections = resources.map((resource) =>
    [`## ${resource.title}\n`, operationsTable(resource), fieldsTable(resource, fields), rulesList(resource)]
      .filter((part) => part !== '')
      .join('\n'),
  );
  return [HEAD + rights.join(''), `## People\n\n${people.join('')}`, ...sections].join('\n');
}

function operationsTable({ operations }: Resource): string {
  const all = Object.values(operations);
  const shared = sharedEnding(all.map(({ description = '' }) => sentencesOf(description)));
  const rows = all.map((operation) => {
    const { path, right, teamKeys = '', domain, summary, description = '' } = operation;
    const sentences = sentencesOf(description);
    const own = sentences.slice(0, sentences.length - shared.length);
    const does = [`${summary}.`, ...own].join(' ');
    return [
      operation.method,
      path,
      right,
      teamKeys,
      peopleOf(operation),
      domain,
      bodyOf(operation),
      refusalsOf(operation),
      does,
    ];
  });
  // Operations that differ in their method only have one row.
  const merged = [...Map.groupBy(rows, ([, ...cells]) => cells.join('\n')).values()].map(([first = [], ...others]) => {
    const [method, path, ...cells] = first;
    return [code(`${[method, ...others.map(([other]) => other)].join(', ')} ${path}`), ...cells];
  });
  const head = ['operation', 'right', 'team keys', 'people', 'rate limit', 'body', 'refusals', 'what it does'];
  return [...(shared.length === 0 ? [] : [`Of each operation: ${shared.join(' ')}\n`]), table(head, merged)].join('\n');
}

/** The sentences with which all of these descriptions end. */
function sharedEnding(descriptions: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = descriptions;
  const differs = [...first]
    .reverse()
    .findIndex((sentence, index) => others.some((other) => other.at(-1 - index) !== sentence));
  return others.length === 0 ? [] : first.slice(first.length - (differs === -1 ? first.length : differs));
}

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=\.) (?=[A-Z])/).filter((each) => each !== '');

function bodyOf({ maxBodyBytes, transfer }: Pick<DescribedOperation, 'maxBodyBytes' | 'transfer'>): string {
  if (transfer === 'upload') return 'file (A13)';
  return maxBodyBytes === undefined ? '' : `${maxBodyBytes / 1024} KiB`;
}

function refusalsOf({ refusals = [], pages = {} }: Pick<DescribedOperation, 'refusals' | 'pages'>): string {
  const asPages = Object.keys(pages)
    .map(Number)
    .filter((status) => status >= 400);
  return [...refusals, ...asPages].join(', ');
}

function fieldsTable({ operations }: Resource, fields: ReturnType<typeof fieldsByOperation>): string {
  const all = Object.keys(operations).flatMap((id) => [...(fields.get(id) ?? [])]);
  const rows = [...Map.groupBy(all, ([, limit]) => limit)].map(([limit, found]) => [
    [...new Set(found.map(([path]) => code(path)))].join(', '),
    limit,
  ]);
  return rows.length === 0 ? '' : table(['fields', 'limit, values, default'], rows);
}

function rulesList({ rules }: Resource): string {
  return Object.entries(rules)
    .flatMap(([name, [first, ...points]]) => [`- **${name}** ${first}\n`, ...points.map((point) => `  - ${point}\n`)])
    .join('');
}
