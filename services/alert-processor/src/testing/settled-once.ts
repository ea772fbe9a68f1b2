import { expect } from '@jest/globals';
import type { AlertEvent } from '@tocsin/contracts';
import { judgementContext, judgementsOf } from '../application/judged-batches.ts';
import { compileRules } from '../domain/policies/compiled-rules.ts';
import { settleCommands } from '../domain/settle.ts';
import { POLICIES_BY_TAG } from './planned-lives.ts';
import { nameOf, type KilledSettlers } from './killed-settlers.ts';
import { alertDocument } from '../storage/alert-document.ts';
import { logDocuments, noteDocument } from '../storage/history-document.ts';
import { statusDocument } from '../storage/mongo-request-statuses.ts';

interface Row {
  readonly _id: string;
}

/** Compares what the settlers stored and published with what one undisturbed settler would make of their commands. */
export async function expectSettledOnce(settlers: KilledSettlers): Promise<void> {
  const rules = compileRules(POLICIES_BY_TAG, 'UTC');
  const judged = await judgementsOf(settlers.commands, rules, judgementContext(resolve, responders));
  const context = { resolve, firstTinyId: 1, processedAt: settlers.settlesAt, judged };
  const commands = settlers.commands.map((command) => judged.get(command.requestId)?.command ?? command);
  const meant = settleCommands(commands, { settled: new Set(), alerts: [] }, context);
  const stored = (collection: string) => settlers.connection.collection<Row>(collection).find().toArray();

  const alerts = await stored('alerts');
  expect(plain(alerts, 'tinyId')).toEqual(plain(meant.inserted.map(alertDocument), 'tinyId'));
  expect(new Set(alerts.map((alert) => (alert as unknown as { tinyId: number }).tinyId)).size).toBe(alerts.length);
  expect(plain(await stored('alert_logs'))).toEqual(plain(logDocuments(meant.logs)));
  expect(plain(await stored('alert_notes'))).toEqual(plain(meant.notes.map(noteDocument)));
  const statuses = plain(meant.statuses.map(statusDocument), 'processedAt');
  expect(plain(await stored('request_statuses'), 'processedAt')).toEqual(statuses);
  expectPublished(await settlers.events(), meant.events, settlers.left);
}

/**
 * Expects each decided version to be published unchanged, and no other. The versions of an alert first
 * come in order, whichever process wrote them. Only what was in the outbox when a process was killed may come twice.
 */
function expectPublished(
  published: readonly AlertEvent[],
  meant: readonly AlertEvent[],
  left: ReadonlySet<string>,
): void {
  const seen = new Map<string, AlertEvent>();
  const doubled = new Set<string>();
  for (const event of published) {
    const name = nameOf(event);
    const before = seen.get(name);
    if (before !== undefined) doubled.add(name);
    expect(event).toEqual(before ?? event);
    seen.set(name, event);
  }
  const inOrder = (events: Iterable<AlertEvent>) =>
    [...events].map(withoutTinyId).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  expect(inOrder(seen.values())).toEqual(inOrder(meant));
  expect([...doubled].filter((name) => !left.has(name))).toEqual([]);
  const byAlert = Map.groupBy(seen.values(), ({ alertId }) => alertId);
  const versions = [...byAlert].map(([alertId, events]) => [alertId, events.map(({ version }) => version)] as const);
  expect(versions).toEqual(versions.map(([alertId, all]) => [alertId, all.toSorted((a, b) => a - b)]));
}

/** Tiny ids are reserved before settling, so those of a killed settler are never used. */
const withoutTinyId = (event: AlertEvent): AlertEvent => ({ ...event, state: { ...event.state, tinyId: '' } });

/** The documents as JSON, ordered by id. */
const plain = (documents: readonly Row[], ...without: readonly string[]): readonly unknown[] =>
  documents
    .toSorted((a, b) => (a._id < b._id ? -1 : 1))
    .map(
      (document) =>
        JSON.parse(
          JSON.stringify(document, (key, value: unknown) => (without.includes(key) ? undefined : value)),
        ) as unknown,
    );

const responders = { nameOf: (_: string, id: string) => id, everyone: () => [] };

function resolve({ id = '' }: { readonly id?: string | undefined }) {
  return { kind: 'known', id, name: id } as const;
}
