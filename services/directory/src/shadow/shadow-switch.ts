import {
  compareVersions,
  firstVersion,
  formatInstant,
  type KeptShadow,
  nextVersion,
  SHADOW_SWITCH,
  type ShadowSwitchMessage,
  type ShadowSwitchState,
  type Version,
} from '@tocsin/events';

/** The switch that keeps messages back (M1). */
export interface ShadowSwitch {
  readonly id: typeof SHADOW_SWITCH;
  readonly enabled: boolean;
  /** The id of the present period, or of the last one that was ended. */
  readonly periodId?: string;
  /**
   * Where requests with imported keys are handled: `here`, once notifier has confirmed that it sends; `leaving`, no longer here, which some
   * gateway may not know yet; absent: forwarded. It is absent while shadow is on.
   */
  readonly importedKeys?: 'here' | 'leaving';
  readonly changedAt: Date;
  /** Absent where it was never changed. */
  readonly changedBy?: string;
  readonly createdAt: Date;
  readonly version: Version;
}

/** The switch of a new account. */
export const newSwitch = (now: Date): ShadowSwitch => ({
  id: SHADOW_SWITCH,
  enabled: false,
  changedAt: now,
  createdAt: now,
  version: firstVersion(now),
});

/** A change of the switch by a request. */
export interface SwitchChange {
  readonly enabled: boolean;
  readonly by: string;
  readonly at: Date;
  readonly newId: () => string;
}

/** The switch after a request; the same object where it changes nothing. A period that begins has an id of its own; its end names it. */
export function switched(present: ShadowSwitch, { at, by, enabled, newId }: SwitchChange): ShadowSwitch {
  if (present.enabled === enabled) return present;
  const { importedKeys: _, ...rest } = present;
  return {
    ...rest,
    enabled,
    ...(enabled && { periodId: newId() }),
    changedAt: at,
    changedBy: by,
    version: nextVersion(present.version),
  };
}

/** The switch, off, from which on gateways forward requests with imported keys; the same object where they do so already. */
export const leavingImportedKeys = (present: ShadowSwitch): ShadowSwitch =>
  present.importedKeys === 'here'
    ? { ...present, importedKeys: 'leaving', version: nextVersion(present.version) }
    : present;

/** The switch, off and confirmed by notifier, from which on requests with imported keys are handled here. */
export const withImportedKeys = (present: ShadowSwitch): ShadowSwitch =>
  present.importedKeys === 'here'
    ? present
    : { ...present, importedKeys: 'here', version: nextVersion(present.version) };

/** Whether notifier keeps this state of the switch. */
export const isKept = ({ enabled, version }: ShadowSwitch, kept: KeptShadow): boolean =>
  enabled === kept.enabled && compareVersions(version, kept.version) === 0;

/**
 * The switch where notifier keeps another state, because the database or the topic was lost or restored: it is newer than what notifier
 * keeps, and an end also ends the period of which notifier knows. Requests with imported keys are forwarded until notifier confirms it.
 */
export function overruling(present: ShadowSwitch, kept: KeptShadow): ShadowSwitch {
  const isBehind = compareVersions(kept.version, present.version) >= 0;
  const periodId = present.enabled ? undefined : kept.periodId;
  const { importedKeys: _, ...rest } = present;
  return {
    ...rest,
    ...(periodId !== undefined && { periodId }),
    version: isBehind ? { epoch: kept.version.epoch + 1, n: 1 } : nextVersion(present.version),
  };
}

/** A state of the switch on its topic. */
export interface PublishedSwitch {
  readonly state: ShadowSwitchState;
  readonly version: Version;
}

/**
 * The switch at the start of a process. A restored database does not change it: where the topic has a later state, or the database has
 * none, that of the topic counts. Without a topic it is not known what notifier does, so requests with imported keys are forwarded until
 * shadow is ended again.
 */
export function atStart(
  stored: ShadowSwitch | undefined,
  published: PublishedSwitch | undefined,
  now: Date,
): ShadowSwitch {
  const present = stored ?? newSwitch(now);
  const { importedKeys: _keys, periodId: _period, ...rest } = present;
  if (published === undefined) return present.importedKeys === undefined ? present : forwarding(present);
  if (stored && compareVersions(published.version, stored.version) <= 0) return present;
  const { changedAt, enabled, importedKeys, periodId } = published.state;
  return {
    ...rest,
    enabled,
    ...(periodId !== undefined && { periodId }),
    ...(importedKeys !== undefined && { importedKeys }),
    changedAt: new Date(changedAt),
    version: { epoch: published.version.epoch + 1, n: 1 },
  };
}

function forwarding({ importedKeys: _, ...rest }: ShadowSwitch): ShadowSwitch {
  return { ...rest, version: nextVersion(rest.version) };
}

/** The state of the switch on `shadow-switches.v1`. */
export const switchMessage = ({
  changedAt,
  enabled,
  id,
  importedKeys,
  periodId,
  version,
}: ShadowSwitch): ShadowSwitchMessage => ({
  id,
  version,
  deleted: false,
  state: {
    enabled,
    ...(periodId !== undefined && { periodId }),
    changedAt: formatInstant(changedAt),
    ...(importedKeys !== undefined && { importedKeys }),
  },
});
