import { expect } from '@jest/globals';
import type { AlertEvent } from '@tocsin/events';
import { createPolicyContext, applyPoliciesToAll } from '../policies/apply-operations.ts';
import { compileRules } from '../policies/compiled-rules.ts';
import { applyCommands } from '../alerts/apply-commands.ts';
import { POLICIES_BY_TAG } from './planned-lives.ts';
import { nameOf, type KilledProcessors } from './killed-processors.ts';
import { alertDocument } from '../alerts/document.ts';
import { logDocuments, noteDocument } from '../alert-log/document.ts';
import { statusDocument } from '../requests/request-status.ts';

interface Row {
  readonly _id: string;
}

/** Compares what the processors stored and published with what one undisturbed processor would make of their commands. */
export async function expectProcessedOnce(processors: KilledProcessors): Promise<void> {
  const rules = compileRules(POLICIES_BY_TAG, 'UTC');
  const policyResults = await applyPoliciesToAll(processors.commands, rules, createPolicyContext(resolve, responders));
  const context = { resolve, firstTinyId: 1, processedAt: processors.processedAt, policyResults };
  const commands = processors.commands.map((command) => policyResults.get(command.requestId)?.command ?? command);
  const meant = applyCommands(commands, { processed: new Set(), alerts: [] }, context);
  const stored = (collection: string) => processors.connection.collection<Row>(collection).find().toArray();

  const alerts = await stored('alerts');
  expect(plain(alerts, 'tinyId')).toEqual(plain(meant.inserted.map(alertDocument), 'tinyId'));
  expect(new Set(alerts.map((alert) => (alert as unknown as { tinyId: number }).tinyId)).size).toBe(alerts.length);
  expect(plain(await stored('alert_logs'))).toEqual(plain(logDocuments(meant.logs)));
  expect(plain(await stored('alert_notes'))).toEqual(plain(meant.notes.map(noteDocument)));
  const statuses = plain(meant.statuses.map(statusDocument), 'processedAt');
  expect(plain(await stored('request_statuses'), 'processedAt')).toEqual(statuses);
  expectPublished(await processors.events(), meant.events, processors.left);
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

/** Tiny ids are reserved before processing, so those of a killed processor are never used. */
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
