import { ALERT_LIMITS } from '@tocsin/contracts';
import { fittingText, type Fit } from '@tocsin/rules';

/** Not the alias: alerts whose aliases begin alike would be one, and would not be found by what their sender calls them. */
const SCALARS = ['message', 'description', 'entity', 'source', 'user', 'note'] as const;

/**
 * The body of a write with its texts cut to their limits, and one sentence for each cut (E8). White space before a text that
 * is cut goes first. What is no object stays as it is, and so do values that are no text.
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
