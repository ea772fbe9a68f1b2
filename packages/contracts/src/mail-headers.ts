/** Every mail that Tocsin sends carries this header, so that a mail which comes in with it is known as one of ours (P10). */
export const DELIVERY_ID_HEADER = 'X-Tocsin-Delivery-Id';

/** Begins the Message-ID of every mail of Tocsin, so that an answer to one is known without asking the sender (P10). */
const OWN_PREFIX = 'tocsin.';

/** The Message-ID of a mail that Tocsin sends; `name` tells it from others of the installation. */
export function ownMessageId(name: string, host: string): string {
  return `<${OWN_PREFIX}${name.replaceAll(/[^A-Za-z0-9.-]/g, '.')}@${host}>`;
}

/** Whether a header such as `References` names a mail that Tocsin sent: this installation or another one. */
export function namesOwnMessage(header: string): boolean {
  return header.includes(`<${OWN_PREFIX}`);
}
