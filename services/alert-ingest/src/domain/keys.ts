import { nextVersion, type Integration, type Key, type RetiringKey } from './integration.ts';

/** Replaced keys beyond this many are given up, those first that end first. */
const RETIRING_LIMIT = 10;

/** The integration with `key` in place of its present one, which still works until `validUntil`. */
export function rotated(integration: Integration, key: Key, { now, validUntil }: RotationTimes): Integration {
  const { key: before } = integration;
  const signingSecret = before?.signingSecret;
  const replacedKey = before && {
    keyHash: before.hash,
    validUntil,
    ...(signingSecret !== undefined && { signingSecret }),
  };
  const retiring = [...integration.retiringKeys, ...(replacedKey === undefined ? [] : [replacedKey])];
  return {
    ...integration,
    version: nextVersion(integration),
    key,
    retiringKeys: retiring
      .filter((each: RetiringKey) => each.validUntil > now)
      .sort((a, b) => a.validUntil.getTime() - b.validUntil.getTime())
      .slice(-RETIRING_LIMIT),
  };
}

export interface RotationTimes {
  readonly now: Date;
  readonly validUntil: Date;
}
