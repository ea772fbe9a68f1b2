import { AlertCommands, AlertEvents, Pages } from '@tocsin/events';
import type { System } from '../fault.ts';
import type { ReleaseName } from './releases.ts';

/** What a release has left behind of what it has and the one before it has not. */
export interface Evidence {
  /** Pages with the field that alert-ingest has written. */
  readonly pages: number;
  /** Stored alerts with that field. */
  readonly alerts: number;
  readonly hasIndex: boolean;
  /** Records of schema version 3, by topic. */
  readonly newRecords: Readonly<Record<string, number>>;
}

const TOPICS = [AlertCommands, AlertEvents, Pages].map(({ name }) => name);
const NEW_VERSION = '3';
const NEW_FIELD = 'acceptedBy';

/** What the release has left that writes `acceptedBy` into its commands. */
export async function evidenceOf(
  acceptedBy: string,
  { services, sinks }: Pick<System, 'services' | 'sinks'>,
): Promise<Evidence> {
  const { published, stored } = services.results;
  const records = (await published.ofAlerts()).filter(({ headers }) => headers['v'] === NEW_VERSION);
  const indexes = await stored.indexes('alert-processor', 'alerts');
  return {
    pages: sinks.texts.filter((text) => text.endsWith(` by ${acceptedBy}`)).length,
    alerts: (await stored.rows('alert-processor', 'alerts', { [NEW_FIELD]: acceptedBy })).length,
    hasIndex: indexes.some((keys) => NEW_FIELD in keys),
    newRecords: Object.fromEntries(TOPICS.map((name) => [name, records.filter(({ topic }) => topic === name).length])),
  };
}

/** What is missing of what this release should have left behind. */
export function missingEvidence(
  release: Exclude<ReleaseName, 'present'>,
  { alerts, hasIndex, newRecords, pages }: Evidence,
): readonly string[] {
  const withoutNew = release === 'next' ? [] : TOPICS.filter((topic) => (newRecords[topic] ?? 0) === 0);
  return [
    ...(pages > 0 ? [] : ['no page with its field']),
    ...(alerts > 0 ? [] : ['no stored alert with its field']),
    ...(hasIndex ? [] : ['no index of its field']),
    ...withoutNew.map((topic) => `no record of version ${NEW_VERSION} on ${topic}`),
  ];
}
