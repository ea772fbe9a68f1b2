import { randomUUID } from 'node:crypto';
import type { BodyOf } from './ingest-load.ts';

/** Every so many alerts page somebody. */
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

/**
 * Creates of 1 KB, each with an alias of its own, of which each pages one of `people`, in turns. The message begins with
 * {@link numberOf} what the alert has.
 */
export const pagingBodies = (people: readonly string[]): BodyOf =>
  numberedBodies((index) => ({ type: 'user', username: people[index % people.length] ?? '' }));

/** As {@link pagingBodies}, each to one of `escalations`, in turns, with `tag`. */
export const escalatingBodies = (escalations: readonly string[], tag: string): BodyOf =>
  numberedBodies((index) => ({ type: 'escalation', name: escalations[index % escalations.length] ?? '' }), tag);

function numberedBodies(responderOf: (index: number) => Readonly<Record<string, string>>, tag = 'disk'): BodyOf {
  const stream = randomUUID().slice(0, 8);
  const { tail } = template(tag);
  return (index) => {
    const responders = JSON.stringify([responderOf(index)]);
    return `{"alias":"${stream}-${index}","responders":${responders},${tail.replace('"Disk', `"Page ${index}: Disk`)}`;
  };
}

/** The number of the alert that a mail is about, by its subject. */
export const numberOf = (mail: string): number => Number(/^Subject: .*\bPage (\d+):/m.exec(mail)?.[1] ?? Number.NaN);

function template(tag = 'disk'): { readonly head: string; readonly tail: string } {
  const alert = {
    message: 'Disk almost full on db-1.example.com: 93 % of /var/lib',
    entity: 'db-1.example.com',
    source: 'prometheus',
    priority: 'P2',
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
