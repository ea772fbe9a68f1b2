import { quoted, sourceOf, tableAfter } from './sources.ts';

/** A call between two services, `gateway -> directory`. */
export type Call = string;
export const call = (from: string, to: string): Call => `${from} -> ${to}`;

interface Owner {
  readonly service: string;
  readonly paths: string;
  readonly replicas: readonly string[];
  readonly publishes: readonly string[];
}

/** The callers of each HTTP port, by docs/architecture.md: paths that the gateway forwards, internal routes, look-ups of replicas. */
export function documentedCalls(): readonly Call[] {
  const page = sourceOf('docs/architecture.md');
  const owners = ownersOf(page);
  const passedOn = owners
    .filter(({ service, paths }) => service !== 'gateway' && paths !== 'none')
    .map(({ service }) => call('gateway', service));
  const routes = tableAfter(page, 'Services call each other over internal routes (`/internal/…`) with signed requests:')
    .filter(([from = '']) => !from.includes(' '))
    .map(([from = '', to = '']) => call(from, to));
  const ownerOf = (topic: string): string =>
    owners.find(({ publishes }) => publishes.includes(topic))?.service ?? topic;
  const lookUps = owners.flatMap(({ service, replicas }) =>
    replicas.map((topic) => call(service, ownerOf(topic))).filter((one) => one !== call(service, service)),
  );
  return [...new Set([...passedOn, ...routes, ...lookUps])].toSorted();
}

/** The topics whose records a service settles, by the same page: those that it reads without keeping a replica. */
export function settledTopics(): ReadonlyMap<string, readonly string[]> {
  const rows = tableAfter(sourceOf('docs/architecture.md'), '## 3. Ownership');
  return new Map(
    rows.map(([service = '', , , reads = '']) => [
      service,
      quoted(reads.replace(/,? ?\b(the same five )?replicas?\b( of .*)?$/, '')),
    ]),
  );
}

function ownersOf(page: string): readonly Owner[] {
  const owners: Owner[] = [];
  for (const [service = '', , paths = '', reads = '', writes = ''] of tableAfter(page, '## 3. Ownership')) {
    const replicas = reads.includes('the same five replicas')
      ? (owners.at(-1)?.replicas ?? [])
      : quoted(/replicas? of (.*)$/.exec(reads)?.[1]);
    owners.push({ service, paths, replicas, publishes: quoted(writes) });
  }
  return owners;
}
