import { randomUUID } from 'node:crypto';
import type { BodyOf } from './ingest-load.ts';

/** Every so many alerts page a user. */
const PAGING_EVERY = 100;
/** Every so many alerts repeat an alias that is open already. */
const REPEATED_EVERY = 4;
const REPEATED_ALIASES = 500;
const BODY_BYTES = 1_024;

/**
 * Creates of 1 KB: three in four with an alias of their own, one in four the repeat of an alias, and one in a hundred, with
 * an alias of its own, pages `escalation`. Two streams never share an alias.
 */
export function alertBodies(escalation: string): BodyOf {
  const stream = randomUUID().slice(0, 8);
  const { head, tail } = template();
  return (index) => {
    if (index % PAGING_EVERY === 0) {
      const responders = JSON.stringify([{ type: 'escalation', name: escalation }]);
      return `${head}"alias":"${stream}-page-${index}","responders":${responders},${tail}`;
    }
    const repeated = index % REPEATED_EVERY === 1;
    return `${head}"alias":"${stream}-${repeated ? `again-${index % REPEATED_ALIASES}` : index}",${tail}`;
  };
}

type Priority = 'P1' | 'P2';

/**
 * Creates of 1 KB, each with an alias of its own, of which each pages one of `people`, in turns. The message begins with
 * its number, by which {@link numbersOf} finds it again.
 */
export const pagingBodies = (people: readonly string[], priority: Priority = 'P2'): BodyOf =>
  numberedBodies((index) => ({ type: 'user', username: people[index % people.length] ?? '' }), { priority });

/** As {@link pagingBodies}, each to one of `escalations`, in turns, with `tag`. */
export const escalatingBodies = (escalations: readonly string[], tag: string, priority?: Priority): BodyOf =>
  numberedBodies((index) => ({ type: 'escalation', name: escalations[index % escalations.length] ?? '' }), {
    tag,
    ...(priority !== undefined && { priority }),
  });

function numberedBodies(
  responderOf: (index: number) => Readonly<Record<string, string>>,
  options: { readonly tag?: string; readonly priority?: Priority },
): BodyOf {
  const stream = randomUUID().slice(0, 8);
  const { tail } = template(options);
  return (index) => {
    const responders = JSON.stringify([responderOf(index)]);
    return `{"alias":"${stream}-${index}","responders":${responders},${tail.replace('"Disk', `"Page ${index}: Disk`)}`;
  };
}

const IN_BASE64 = /^Content-Transfer-Encoding: base64\r\n(?:[^\r]+\r\n)*\r\n([\w+/=\r\n]+)/gim;
const SOFT_LINE_END = /=\r\n/g;

/** The numbers of the alerts that a mail is about, each once: one, or all those of a bundle (U8). */
export function numbersOf(mail: string): ReadonlySet<number> {
  const decoded = [...mail.matchAll(IN_BASE64)].map(([, part = '']) => Buffer.from(part, 'base64').toString());
  const text = [mail.replaceAll(SOFT_LINE_END, ''), ...decoded].join('\n');
  return new Set([...text.matchAll(/\bPage\s+(\d+):/g)].map(([, number]) => Number(number)));
}

function template({ tag = 'disk', priority = 'P2' }: { readonly tag?: string; readonly priority?: Priority } = {}) {
  const alert = {
    message: 'Disk almost full on db-1.example.com: 93 % of /var/lib',
    entity: 'db-1.example.com',
    source: 'prometheus',
    priority,
    tags: [tag, 'production', 'database'],
    details: {
      host: 'db-1',
      mount: '/var/lib',
      used: '93 %',
      region: 'eu-central',
      dashboard: 'https://example.com/d/1',
    },
    description: '',
  };
  const room = BODY_BYTES - JSON.stringify(alert).length - 40;
  const [, ...rest] = JSON.stringify({ ...alert, description: 'x'.repeat(room) });
  return { head: '{', tail: rest.join('') };
}
