import { ContactMethod, Priority, type Page } from '@tocsin/events';
import { z } from 'zod';
import { isStatusUpdate, type PageDelivery } from '../messages/delivery.ts';

/** How many days an acknowledge link works, from when its message was first due. */
const LINK_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * The subject of an acknowledge link: its user and its page, with no content of the alert (A6).
 */
export interface AcknowledgeLink {
  readonly alertId: string;
  /** A digest of the page's id: all links of one page are one act, in any of its messages. */
  readonly page: string;
  readonly userId: string;
  readonly method: ContactMethod;
  readonly tinyId: string;
  readonly priority: Page['alert']['priority'];
}

const Subject = z.tuple([z.string(), z.string(), z.string(), ContactMethod, z.string(), Priority]);

/**
 * The subject of a message's link, in letters, digits, `_` and `-`. It is the same for every try of one delivery. `digest` makes a
 * short text of the page's id, which contains the whole route to the user.
 */
export function writeLinkSubject({ method, page }: PageDelivery, digest: (pageId: string) => string): string {
  const { alert, alertId, pageId, userId } = page;
  const said: z.infer<typeof Subject> = [alertId, digest(pageId), userId, method, alert.tinyId, alert.priority];
  return Buffer.from(JSON.stringify(said)).toString('base64url');
}

/** Reads the text of {@link writeLinkSubject}; undefined for any other text. */
export function readLinkSubject(text: string): AcknowledgeLink | undefined {
  const said = Subject.safeParse(parsed(Buffer.from(text, 'base64url').toString()));
  if (!said.success) return undefined;
  const [alertId, page, userId, method, tinyId, priority] = said.data;
  return { alertId, page, userId, method, tinyId, priority };
}

/** Until when the link of a message works, exclusive. */
export const linkExpiresAt = ({ dueAt }: Pick<PageDelivery, 'dueAt'>): Date =>
  new Date(dueAt.getTime() + LINK_DAYS * DAY_MS);

/** Whether a page asks its user to acknowledge the alert. Of the status updates, only that of an assignment does (U15). */
export const asksForAction = (page: Page): boolean => !isStatusUpdate(page) || page.actionType === 'assigned-alert';

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
