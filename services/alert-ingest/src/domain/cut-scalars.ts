import { ALERT_LIMITS } from '@tocsin/contracts';
import { fittingText, type Fit } from '@tocsin/rules';

/** Not the alias: aliases with the same beginning would become one alert, which its senders would not find by their alias. */
const SCALARS = ['message', 'description', 'entity', 'source', 'user', 'note'] as const;

/**
 * Cuts the texts of a body to their limits, and returns one sentence for each cut (E8). It trims leading white space of a text
 * that is too long first. It keeps a body that is no object, and values that are no text.
 */
export function cutScalars(body: unknown): Fit<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { kept: body, cut: [] };
  const kept: Record<string, unknown> = { ...body };
  const cut: string[] = [];
  for (const field of SCALARS) {
    const text = kept[field];
    if (typeof text !== 'string' || text.length <= ALERT_LIMITS[field]) continue;
    const fit = fittingText(field, text.trimStart(), ALERT_LIMITS[field]);
    if (fit.cut.length === 0) continue;
    kept[field] = fit.kept;
    cut.push(...fit.cut);
  }
  return { kept, cut };
}
