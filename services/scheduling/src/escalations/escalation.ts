import type { EscalationRepeat, EscalationState, NotifyType, StateMessage, Version } from '@tocsin/events';

/** The state that an alert must have when a rule falls due, or the rule does not fire. */
type EscalationCondition = 'if-not-acked' | 'if-not-closed';

export interface EscalationRecipient {
  readonly type: 'user' | 'schedule' | 'team';
  readonly id: string;
}

/** One rule of an escalation: its recipient, how long after the start it fires, and on what condition. */
export interface EscalationRule {
  readonly condition: EscalationCondition;
  /** A notify type that the recipient allows (S15). */
  readonly notifyType: NotifyType;
  /** 0 or more, from the start or the last repeat (S9). */
  readonly delayMinutes: number;
  readonly recipient: EscalationRecipient;
}

/** Rules that page further users as long as no user acknowledges the alert (part 2, 2.9). */
export interface Escalation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ownerTeamId: string | undefined;
  /** At least one, as they were written. */
  readonly rules: readonly EscalationRule[];
  /** Undefined where its rules fire once (S9). */
  readonly repeat: EscalationRepeat | undefined;
  readonly createdAt: Date;
  readonly version: Version;
}

/** An escalation as `escalations.v1` carries it. */
export function escalationMessage(escalation: Escalation): StateMessage<EscalationState> {
  const { id, name, description, ownerTeamId, rules, repeat, version } = escalation;
  const state = {
    id,
    name,
    description,
    ...(ownerTeamId !== undefined && { ownerTeamId }),
    rules: [...rules],
    ...(repeat && { repeat }),
  };
  return { id, version, deleted: false, state };
}
