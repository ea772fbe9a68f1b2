import { abbreviated, bytesOf } from '@tocsin/rules';
import { SYSTEM } from '../alert-log/entry.ts';
import type { FlowPlan, PolicyResult } from './policy-result.ts';
import { fieldChanges, type FullPolicyResult, type PolicyFinding, reasonText, findingText } from './finding.ts';

/** The most bytes of one entry's text and facts together; the text alone may have half of them. */
const MAX_BYTES = 8_000;
/** How many policies that changed the alert, and how many that did not apply, an entry lists. */
export const MAX_LISTED = 10;

/**
 * The log entry of all findings about policies. It lists the first ten policies that changed the alert and all that decided about its
 * flow, the first ten that did not apply with the reason, and how many more there are. Text and facts take at most 8 kB; the rest is
 * left out. Undefined without a finding.
 */
export function entryOf({ command, flow, findings, omitted }: FullPolicyResult): PolicyResult['entry'] {
  if (findings.length === 0) return undefined;
  const applied = findings.filter(({ outcome }) => outcome !== 'skipped');
  const skipped = findings.filter(({ outcome }) => outcome === 'skipped');
  const counts = { applied: applied.length + omitted.applied, skipped: skipped.length + omitted.skipped };
  const listed = (some: readonly PolicyFinding[], total: number) =>
    [
      ...some.map((finding) => findingText(finding, flow)),
      ...(total > some.length ? [`and ${total - some.length} more`] : []),
    ].join('; ');
  const first = skipped.slice(0, MAX_LISTED);
  const sentences = [
    applied.length === 0 ? 'No policy applies' : `Policies: ${listed(applied, counts.applied)}`,
    ...(skipped.length === 0 ? [] : [`Not applied: ${listed(first, counts.skipped)}`]),
  ];
  const log = firstBytes(abbreviated(`${sentences.join('. ')}.`, MAX_BYTES), MAX_BYTES / 2);
  const fits = withinBytes(MAX_BYTES - bytesOf(log));
  return {
    log,
    type: 'system',
    owner: SYSTEM,
    decision: {
      decisionId: `policies:${command.requestId}`,
      stage: 'process',
      subject: 'policies',
      outcome: applied.length === 0 ? 'skipped' : 'matched',
      facts: {
        applied: applied.map(factOf).filter(fits),
        skipped: first.map(factOf).filter(fits),
        appliedCount: counts.applied,
        skippedCount: counts.skipped,
        ...planned(flow),
      },
    },
  };
}

/** A filter that lets values pass while they fit into `most` bytes together. */
function withinBytes(most: number): (value: unknown) => boolean {
  let room = most;
  return (value) => {
    const bytes = bytesOf(value);
    if (bytes > room) return false;
    room -= bytes;
    return true;
  };
}

/** The code points of `text` that fit into `most` bytes, with an ellipsis if some do not. */
function firstBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return read === text.length ? text : `${text.slice(0, read)}…`;
}

/** The facts of one finding. Names that callers chose are values here, never keys. */
function factOf(finding: PolicyFinding): Readonly<Record<string, unknown>> {
  const { id, teamId } = finding.policy;
  const common = { id, name: finding.label, ...(teamId !== undefined && { teamId }) };
  switch (finding.outcome) {
    case 'modified':
      return { ...common, changes: fieldChanges(finding.before, finding.after), cut: finding.cut };
    case 'matched':
      return { ...common, effects: finding.effects };
    case 'skipped':
      return { ...common, reason: finding.why.kind, text: reasonText(finding.why) };
  }
}

function planned({ hold, suppressed }: FlowPlan): Readonly<Record<string, unknown>> {
  if (suppressed !== undefined) return { suppressed };
  return hold?.kind === 'delay' ? { heldUntil: hold.until } : {};
}
