import type { NotifyType, EscalationRepeat, Version } from '@tocsin/contracts';

/** What an alert must still be, when a rule falls due, for the rule to fire. */
type EscalationCondition = 'if-not-acked' | 'if-not-closed';

export interface EscalationRecipient {
  readonly type: 'user' | 'schedule' | 'team';
  readonly id: string;
}

/** One step of an escalation: whom it reaches, how long after the start of the run, and on what condition. */
export interface EscalationRule {
  readonly condition: EscalationCondition;
  /** One that is allowed for the recipient (S15). */
  readonly notifyType: NotifyType;
  /** 0 or more, from the (re)start of the run (S9). */
  readonly delayMinutes: number;
  readonly recipient: EscalationRecipient;
}

/** Rules that reach further people the longer an alert is left alone (part 2, 2.9). */
export interface Escalation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ownerTeamId: string | undefined;
  /** At least one, as they were written. */
  readonly rules: readonly EscalationRule[];
  /** Undefined where its rules have one turn (S9). */
  readonly repeat: EscalationRepeat | undefined;
  readonly createdAt: Date;
  readonly version: Version;
}
