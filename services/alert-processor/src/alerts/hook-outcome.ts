import type { AlertCommand, HookOrigin, HookOutcome } from '@tocsin/events';
import type { Alert } from './alert.ts';
import type { Decided } from './decided.ts';

/** An item of the request of a tool, and what it came to. */
export interface HookItemResult extends HookOrigin {
  readonly requestId: string;
  readonly outcome: HookOutcome;
  /** The alert that it changed and did not open. */
  readonly alertId: string | undefined;
}

export function hookItemResult(
  command: AlertCommand,
  origin: HookOrigin,
  decided: Decided,
  before: Alert | undefined,
): HookItemResult {
  const concerns = decided.kind === 'changed' || decided.kind === 'unchanged';
  const { requestId } = command;
  return { requestId, ...origin, outcome: hookOutcome(command, decided), alertId: concerns ? before?.id : undefined };
}

function hookOutcome({ kind }: AlertCommand, decided: Decided): HookOutcome {
  if (decided.kind === 'refused') return 'failed';
  if (decided.kind === 'dropped' || decided.kind === 'nothing-to-close') return decided.kind;
  if (kind === 'create') return decided.kind === 'changed' ? outcomeOfCreate(decided.change.kind) : 'counted';
  if (kind === 'close') return 'closed';
  return kind === 'acknowledge' ? 'acknowledged' : 'noted';
}

type ChangeKind = Extract<Decided, { kind: 'changed' }>['change']['kind'];

function outcomeOfCreate(kind: ChangeKind): HookOutcome {
  if (kind === 'created') return 'opened';
  return kind === 'raised' ? 'raised' : 'counted';
}
