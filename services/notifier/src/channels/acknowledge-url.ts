import { createHash } from 'node:crypto';
import type { LinkSigner } from '@tocsin/key-auth';
import { linkExpiresAt, writeLinkSubject } from '../domain/acknowledge-link.ts';
import type { Sender } from '../domain/content.ts';

/** How messages link to the page that acknowledges: not at all where the installation is told of no address (U9). */
export const linking = (publicUrl: string | undefined, links: LinkSigner): Pick<Sender, 'acknowledgeUrl'> =>
  publicUrl === undefined
    ? {}
    : {
        acknowledgeUrl: (delivery) =>
          `${publicUrl}/acknowledge/${links.sign(writeLinkSubject(delivery, digestOf), linkExpiresAt(delivery))}`,
      };

/** Names a page in what people are given: 96 bits of a digest of its id. */
export const digestOf = (pageId: string): string =>
  createHash('sha256').update(pageId).digest('base64url').slice(0, 16);
