import type { ResponderReference } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { Responders } from '@tocsin/kafka';
import type { Resolution } from '../alerts/decided.ts';
import { ResponderDirectory } from '../responders/client.ts';

type FoundResponder = NonNullable<ReturnType<Responders['findHeld']>>;

/** Knows the responders that `findHeld` finds, and asks an owner that answers as `resolve` for all others. It has no users. */
export const directoryOf = (
  resolve: (reference: ResponderReference) => Resolution,
  findHeld: (reference: ResponderReference) => FoundResponder | undefined = () => undefined,
): ResponderDirectory =>
  new ResponderDirectory({
    find: (type, wanted) => Promise.resolve(resolve({ type, ...wanted })).then(foundIn),
    findHeld: (type, wanted) => findHeld({ type, ...wanted }),
    everyone: () => [],
  });

/** Knows no responder. */
export const EMPTY_DIRECTORY: ResponderDirectory = directoryOf(() => ({ kind: 'unknown' }));

function foundIn(resolution: Resolution): FoundResponder | undefined {
  if (resolution.kind === 'unreachable') throw new UnavailableError('The owner does not answer.');
  return resolution.kind === 'known' ? { ownerTeamId: undefined, ...resolution } : undefined;
}
