import { z } from 'zod';
import { id, Priority } from '../primitives.ts';

/** `Z`-terminated instants on the wire between services. */
export const at = z.iso.datetime();

/** Orders the states of one entity: first `epoch` (grows when an entity's history starts anew), then `n`. */
export const Version = z.object({ epoch: z.number(), n: z.number() });
export type Version = z.infer<typeof Version>;

/** Negative when `a` is older than `b`, 0 when they are the same. */
export function compareVersions(a: Version, b: Version): number {
  return a.epoch - b.epoch || a.n - b.n;
}

/** The version of an entity that is created at `at`. */
export const firstVersion = (at: Date): Version => ({ epoch: at.getTime(), n: 1 });

/** The version of an entity's next write, a delete included. */
export const nextVersion = ({ epoch, n }: Version): Version => ({ epoch, n: n + 1 });

/** The kinds of responders of an alert (part 1, 2.2). */
export const ResponderType = z.enum(['user', 'team', 'schedule', 'escalation']);
export type ResponderType = z.infer<typeof ResponderType>;

/** A responder whose id is known. */
export const Responder = z.object({ type: ResponderType, id });
export type Responder = z.infer<typeof Responder>;

/** A responder as a caller names it: by id, or by name (user name for users). */
export const ResponderReference = z.object({ type: ResponderType, id: id.optional(), name: z.string().optional() });
export type ResponderReference = z.infer<typeof ResponderReference>;

/** A responder with the name that it bears, user name for users, where that is known. */
export const NamedResponder = Responder.extend({ name: z.string().optional() });

/** The integration whose key was used, as it was then. */
export const IntegrationReference = z.object({ id, name: z.string(), type: z.string() });
export type IntegrationReference = z.infer<typeof IntegrationReference>;

/** The fields of an alert that events, pages and webhook commands share. */
export const AlertContent = z.object({
  tinyId: z.string(),
  alias: z.string(),
  message: z.string(),
  description: z.string(),
  source: z.string(),
  entity: z.string(),
  priority: Priority,
  owner: z.string(),
  tags: z.array(z.string()),
  actions: z.array(z.string()),
  details: z.record(z.string(), z.string()),
  createdAt: at,
});
export type AlertContent = z.infer<typeof AlertContent>;

export { Priority };
