import { abbreviated } from '@tocsin/rules';
import { SYSTEM } from '../history.ts';
import type { FlowPlan, Judgement } from './judgement.ts';
import { fieldChanges } from './field-changes.ts';
import { verdictText, reasonText } from './verdict-text.ts';
import type { FullJudgement, PolicyVerdict } from './verdict.ts';

/** As large are the text and the facts of one entry together, in bytes; of the text alone half of that. */
const MOST_BYTES = 8_000;
/** How many of those that changed the alert, and of those that did not apply, an entry tells. */
export const MOST_TOLD = 10;

/**
 * One entry of the alert's log for everything that policies said: the first ten that changed it and those that decided about its
 * flow, with what they did, the first ten that did not apply, with the reason, and how many more there are. Text and facts come to
 * 8 kB at most: what is beyond it is left out. Undefined where no policy was for the alert.
 */
export function entryOf({ command, flow, verdicts, omitted }: FullJudgement): Judgement['entry'] {
  if (verdicts.length === 0) return undefined;
  const applied = verdicts.filter(({ outcome }) => outcome !== 'skipped');
  const skipped = verdicts.filter(({ outcome }) => outcome === 'skipped');
  const counts = { applied: applied.length + omitted.applied, skipped: skipped.length + omitted.skipped };
  const tell = (some: readonly PolicyVerdict[], of: number) =>
    [
      ...some.map((verdict) => verdictText(verdict, flow)),
      ...(of > some.length ? [`and ${of - some.length} more`] : []),
    ].join('; ');
  const first = skipped.slice(0, MOST_TOLD);
  const sentences = [
    applied.length === 0 ? 'No policy applies' : `Policies: ${tell(applied, counts.applied)}`,
    ...(skipped.length === 0 ? [] : [`Not applied: ${tell(first, counts.skipped)}`]),
  ];
  const log = firstBytes(abbreviated(`${sentences.join('. ')}.`, MOST_BYTES), MOST_BYTES / 2);
  const fits = withinBytes(MOST_BYTES - bytesOf(log));
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

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Whether what comes next still fits into `most` bytes. */
function withinBytes(most: number): (value: unknown) => boolean {
  let room = most;
  return (value) => {
    const bytes = bytesOf(value);
    if (bytes > room) return false;
    room -= bytes;
    return true;
  };
}

/** The code points of `text` that fit into `most` bytes, and an ellipsis where these are not all. */
function firstBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return read === text.length ? text : `${text.slice(0, read)}…`;
}

/** Ids and words: names that callers made up are values here and never keys. */
function factOf(verdict: PolicyVerdict): Readonly<Record<string, unknown>> {
  const { id, teamId } = verdict.policy;
  const common = { id, name: verdict.label, ...(teamId !== undefined && { teamId }) };
  switch (verdict.outcome) {
    case 'modified':
      return { ...common, changes: fieldChanges(verdict.before, verdict.after), cut: verdict.cut };
    case 'matched':
      return { ...common, effects: verdict.effects };
    case 'skipped':
      return { ...common, reason: verdict.why.kind, text: reasonText(verdict.why) };
  }
}

function planned({ hold, suppressed }: FlowPlan): Readonly<Record<string, unknown>> {
  if (suppressed !== undefined) return { suppressed };
  return hold?.kind === 'delay' ? { heldUntil: hold.until } : {};
}
