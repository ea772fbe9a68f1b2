import type { AlertIdentifier, AlertIdentifierQuery, OnExcess } from '@tocsin/contracts';
import type { Reply } from '@tocsin/http';
import { z } from 'zod';
import { cutScalars } from '../domain/cut-scalars.ts';
import { alertIdentifier } from '../domain/alert-identifier.ts';

/** Every answer to an accepted write. Without `data`: clients would read that instead of the text (wire facts 1.1). */
export const ACCEPTED: Reply = { status: 202, body: { result: 'Request will be processed' } };

/** The alert that a path names. */
export function identifierOf({
  params,
  query,
}: {
  readonly params: Readonly<Record<string, string>>;
  readonly query: AlertIdentifierQuery;
}): AlertIdentifier {
  return alertIdentifier(query.identifierType, params['identifier'] ?? '');
}

/** What `body` reads, of which texts over their limit are cut first where excess is not refused (E8). */
export const fittingBody = <T>(body: z.ZodType<T>, onExcess: OnExcess): z.ZodType<T> =>
  onExcess === 'reject' ? body : z.preprocess((value) => cutScalars(value).kept, body);
