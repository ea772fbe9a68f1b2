import type { ReadinessKind } from '@tocsin/api';
import type { ReadinessSeverity } from '@tocsin/events';
import type { Exists } from '../configuration/mentions.ts';
import type { Snapshot } from '../configuration/snapshot.ts';
import { DAY_MS, type Span } from '../on-call/span.ts';

/** Something that will go wrong when an alert comes (S17). */
export interface Finding {
  readonly kind: ReadinessKind;
  readonly severity: ReadinessSeverity;
  /** The teams that it concerns. */
  readonly teamIds: readonly string[];
  readonly entity: {
    readonly type: 'user' | 'schedule' | 'escalation' | 'team' | 'integration' | 'policy' | 'account';
    readonly id: string;
    readonly name: string;
  };
  /** The part of the entity that it is about. */
  readonly part?: { readonly type: 'rotation' | 'routing-rule'; readonly id: string; readonly name: string };
  /** One sentence. */
  readonly message: string;
  /** `message` for the key of a team, without the names of schedules and escalations that it may not read (K4). Undefined: the same. */
  readonly messageFor?: (teamId: string) => string;
  readonly remedy: string;
  /** The path of the API under which it is mended. */
  readonly path: string;
  /** When it happens, in order; undefined where that is at any time. */
  readonly periods?: readonly Span[];
}

/** How far ahead gaps and clock changes are looked for. */
export const LOOK_AHEAD_MS = 14 * DAY_MS;

/** The configuration that findings are made of. */
export interface ReadinessView extends Pick<Snapshot, 'schedule' | 'escalation' | 'team' | 'user'> {
  /** True for a user or team that may exist, because directory did not answer. */
  readonly exists: Exists;
  readonly now: number;
}

/** The next 14 days. */
export const rangeAhead = ({ now }: ReadinessView): Span => ({ from: now, until: now + LOOK_AHEAD_MS });

export const ownedBy = (ownerTeamId: string | undefined): readonly string[] =>
  ownerTeamId === undefined ? [] : [ownerTeamId];

/** `3 days`, `1 hour`, `2.5 hours`, `30 minutes`: the time rounded to minutes. */
export function lengthText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [count, unit] =
    minutes >= 2_880 && minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes >= 60
        ? [Math.round((minutes / 60) * 100) / 100, 'hour']
        : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
