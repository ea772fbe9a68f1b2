/** Every mail that Tocsin sends carries this header, so that an incoming mail with it is recognised as one of Tocsin (P10). */
export const DELIVERY_ID_HEADER = 'X-Tocsin-Delivery-Id';

/** The prefix of the Message-ID of every mail that Tocsin sends; by it alert-ingest recognises answers to them (P10). */
const OWN_PREFIX = 'tocsin.';

/** The Message-ID of a mail that Tocsin sends; `name` is unique in the installation. */
export function ownMessageId(name: string, host: string): string {
  return `<${OWN_PREFIX}${name.replaceAll(/[^A-Za-z0-9.-]/g, '.')}@${host}>`;
}

/** Whether a header such as `References` names a mail that this or another installation of Tocsin sent. */
export function namesOwnMessage(header: string): boolean {
  return header.includes(`<${OWN_PREFIX}`);
}
