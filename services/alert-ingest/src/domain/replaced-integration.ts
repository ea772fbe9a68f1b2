import { InvalidError } from '@tocsin/errors';
import { isDefault, nextVersion, type Integration } from './integration.ts';
import type { Described } from './new-integration.ts';

/**
 * `current` with all that a body decides replaced by `wanted`; its identity and its keys stay (part 1, 4.2).
 *
 * @throws InvalidError for another type (P12), and for what would lock everybody out of the default integration (K7).
 */
export function replaced(current: Integration, wanted: Described): Integration {
  const wrong = { ...otherType(current, wanted), ...(isDefault(current) && lockedOut(wanted)) };
  if (Object.keys(wrong).length > 0) throw InvalidError.ofFields(wrong);
  return { ...current, ...wanted, version: nextVersion(current) };
}

function otherType(current: Integration, { type }: Described): Readonly<Record<string, string>> {
  if (type.toLowerCase() === current.type.toLowerCase()) return {};
  return { type: `of an integration of type [${current.type}] can not be changed` };
}

const KEPT = 'of the default integration can not be taken away';

function lockedOut(wanted: Described): Readonly<Record<string, string>> {
  return {
    ...(!wanted.enabled && { enabled: KEPT }),
    ...(!wanted.allowWriteAccess && { allowWriteAccess: KEPT }),
    ...(!wanted.allowConfigurationAccess && { allowConfigurationAccess: KEPT }),
    ...(wanted.ownerTeam !== undefined && { ownerTeam: 'of the default integration can not be set' }),
  };
}
